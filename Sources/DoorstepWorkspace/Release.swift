/// The release that the programs of this package are of.
package enum Release {
    /// The version of this package.
    package static let version = "0.1.0"
}
