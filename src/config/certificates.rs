//! The extra certificate authority of a connection: read once, bounded, and parsed here so
//! that a bad file is a fault at start and not a failed handshake later.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::fault::{shown_error, shown_path};

/// Bytes of a certificate file; a system's whole bundle has a quarter of that.
const LIMIT: u64 = 1 << 20;

/// The PEM bytes of a file that holds at least one certificate and no broken one.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let shown = shown_path(path);
    let mut pem = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LIMIT + 1).read_to_end(&mut pem))
        .map_err(|why| format!("{shown} cannot be read: {}", shown_error(&why)))?;
    if pem.len() as u64 > LIMIT {
        return Err(format!("{shown} is longer than 1 MiB: that is no certificate file"));
    }
    let mut roots = RootCertStore::empty();
    for (at, certificate) in CertificateDer::pem_slice_iter(&pem).enumerate() {
        let usable = certificate.is_ok_and(|der| roots.add(der).is_ok());
        if !usable {
            return Err(format!("{shown}: certificate {} in it is damaged", at + 1));
        }
    }
    if roots.is_empty() {
        return Err(format!("{shown} holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----"));
    }
    Ok(pem)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A self-signed authority made for these tests; its key was thrown away.
    pub(in crate::config) const ROOT: &str = "-----BEGIN CERTIFICATE-----
MIIBjTCCATOgAwIBAgIUDgqerR46zIqjb7Ez7OUvOek6Y4kwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcGxhbnRzIHRlc3Qgcm9vdDAgFw0yNjExMjEwMjUzMjBaGA8y
MTI2MTAyODAyNTMyMFowGzEZMBcGA1UEAwwQcGxhbnRzIHRlc3Qgcm9vdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABMokhHhn42c5FJJRcJA3tNEgeq7pHqNHECZ3
hw01It67vjqY9dRwsXnnoVd5bEIxR4Jg6j0Xk7eS393o6LtfHRejUzBRMB0GA1Ud
DgQWBBQO+AgHuAAIMep484a/VXV85w5KpTAfBgNVHSMEGDAWgBQO+AgHuAAIMep4
84a/VXV85w5KpTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIB36
OYy+aYFzmAIkS+eV6/v1fdolFGSfMDwffA8148UJAiEArO+jlKwi8JgrzGlVutCq
O+xYVhAA6hGS7gG43QX9z84=
-----END CERTIFICATE-----
";

    fn judged(content: &[u8]) -> Result<usize, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ca.pem");
        std::fs::write(&path, content).unwrap();
        read(&path).map(|pem| pem.len())
    }

    #[test]
    fn a_certificate_is_taken_whole() {
        assert_eq!(judged(ROOT.as_bytes()), Ok(ROOT.len()));
    }

    #[test]
    fn what_holds_none_is_refused_by_name() {
        assert!(judged(b"").unwrap_err().contains("holds no certificate"));
        assert!(judged(b"\xff\xfe plain words").unwrap_err().contains("holds no certificate"));
        let broken = ROOT.replace("MIIBjTCC", "AAAAAAAA");
        assert!(judged(format!("{ROOT}{broken}").as_bytes()).unwrap_err().contains("certificate 2 in it is damaged"));
        assert!(judged(&vec![b'x'; (1 << 20) + 1]).unwrap_err().contains("longer than 1 MiB"));
        assert!(read(Path::new("/nowhere/ca.pem")).unwrap_err().starts_with("/nowhere/ca.pem cannot be read: "));
    }
}
