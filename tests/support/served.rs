//! `plants serve` as a process: a real store to talk to, that tells what it was asked.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Child;

use super::Home;

/// A running demo store. It ends when this is dropped.
pub(crate) struct Served {
    child: Child,
    _home: Home,
    pub(crate) base: String,
}

impl Served {
    /// With this weather, as options of `plants serve`.
    pub(crate) fn with(weather: &[&str]) -> Self {
        let home = Home::new();
        let mut child = home.plants(&[&["serve", "--port", "0", "--json"], weather].concat()).begun();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
        let base = ready["base_url"].as_str().unwrap().to_owned();
        assert_eq!(
            (base.as_str(), &ready["token"]),
            (format!("http://127.0.0.1:{}", ready["port"]).as_str(), &"demo".into())
        );
        Self { child, _home: home, base }
    }

    pub(crate) fn calm() -> Self {
        Self::with(&[])
    }

    /// Ends it, and tells what it was asked: a line like `POST /plants  201` for each request.
    pub(crate) fn log(mut self) -> Vec<String> {
        #[cfg(unix)]
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), rustix::process::Signal::INT)
            .unwrap();
        #[cfg(windows)]
        self.child.kill().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let code = self.child.wait().unwrap().code();
        assert_eq!(code.filter(|_| cfg!(unix)), cfg!(unix).then_some(0), "{said}");
        let requests = said.lines().skip(1).map(|line| line.rsplit_once("  ").unwrap().0.to_owned());
        requests.collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
