//! How a browser is put together.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Browser;

/// Not what is tested, and each either asks outside of the machine or costs time.
const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--font-render-hinting=none",
];

/// A browser that is being put together.
#[derive(Debug, Clone)]
pub struct BrowserBuilder {
    javascript: bool,
    notifications: bool,
    network: bool,
    languages: String,
    pub(super) size: (u32, u32),
}

impl Default for BrowserBuilder {
    fn default() -> Self {
        Self {
            javascript: true,
            notifications: false,
            network: false,
            languages: "en-US,en".to_owned(),
            size: (1280, 800),
        }
    }
}

impl BrowserBuilder {
    /// No script of a page runs.
    #[must_use]
    pub fn without_javascript(mut self) -> Self {
        self.javascript = false;
        self
    }

    /// Whether scripts of pages run.
    pub fn has_javascript(&self) -> bool {
        self.javascript
    }

    /// The person has allowed notifications.
    #[must_use]
    pub fn with_notifications(mut self) -> Self {
        self.notifications = true;
        self
    }

    /// What pages send is kept, for [`super::Tab::sent`].
    #[must_use]
    pub fn with_network(mut self) -> Self {
        self.network = true;
        self
    }

    /// The languages that the person reads, the best first: `zh-CN,zh`.
    #[must_use]
    pub fn languages(mut self, languages: &str) -> Self {
        languages.clone_into(&mut self.languages);
        self
    }

    /// Width and height of the window's inside; 1280×800 unless told.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// When there is no chromedriver or no Chromium.
    #[track_caller]
    pub fn start(&self) -> Browser {
        Browser::of(self)
    }

    pub(super) fn capabilities(&self) -> impl Fn(&Path) -> Value {
        let builder = self.clone();
        move |profile| builder.capabilities_with(profile)
    }

    fn capabilities_with(&self, profile: &Path) -> Value {
        let mut arguments: Vec<String> = FLAGS.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        let allowed = |is: bool| if is { 1 } else { 2 };
        let mut preferences = json!({
            "intl.accept_languages": self.languages,
            "profile.managed_default_content_settings.javascript": allowed(self.javascript),
            "profile.default_content_setting_values.notifications": allowed(self.notifications),
        });
        if self.javascript {
            // Left out, not set to its default: a managed setting is shown to pages as such.
            let settings = preferences.as_object_mut().unwrap();
            settings.remove("profile.managed_default_content_settings.javascript");
        }
        let mut logs = json!({"browser": "ALL"});
        if self.network {
            logs["performance"] = "ALL".into();
        }
        let mut options = json!({"args": arguments, "prefs": preferences});
        if let Some(binary) = chromium() {
            options["binary"] = binary.to_str().into();
        }
        json!({
            "browserName": "chrome",
            "timeouts": {"implicit": 0, "pageLoad": 30_000, "script": 30_000},
            "goog:loggingPrefs": logs,
            "goog:chromeOptions": options,
        })
    }
}

/// Chromium on the search path; where there is none the driver looks for a Chrome.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|it| it.is_file())
}
