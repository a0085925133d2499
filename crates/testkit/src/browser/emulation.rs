//! Other windows, eyes and networks than those of the machine that the tests run on.

use serde_json::json;

use super::Tab;

/// What a person has asked their system for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// Dark colours.
    Dark,
    /// Light colours.
    Light,
    /// The system's own few colours in place of the page's.
    ForcedColours,
    /// No motion.
    ReducedMotion,
}

impl Tab {
    /// Gives the window another inside size.
    #[track_caller]
    pub fn resizes(&self, width: u32, height: u32) -> &Self {
        self.metrics(width, height, 1.0, false)
    }

    /// A telephone held upright: 360×640, with fingers.
    #[track_caller]
    pub fn becomes_phone(&self) -> &Self {
        self.devtools("Emulation.setTouchEmulationEnabled", &json!({"enabled": true}));
        self.metrics(360, 640, 2.0, true)
    }

    /// A window of this size with everything shown twice as large.
    #[track_caller]
    pub fn zooms_to_double(&self, width: u32, height: u32) -> &Self {
        self.metrics(width / 2, height / 2, 2.0, false)
    }

    #[track_caller]
    fn metrics(&self, width: u32, height: u32, scale: f64, mobile: bool) -> &Self {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        self
    }

    /// Asks for these, and for nothing else.
    #[track_caller]
    pub fn prefers(&self, media: &[Media]) -> &Self {
        let features = media.iter().map(|one| {
            let (name, value) = match one {
                Media::Dark => ("prefers-color-scheme", "dark"),
                Media::Light => ("prefers-color-scheme", "light"),
                Media::ForcedColours => ("forced-colors", "active"),
                Media::ReducedMotion => ("prefers-reduced-motion", "reduce"),
            };
            json!({"name": name, "value": value})
        });
        let features = features.collect::<Vec<_>>();
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
        self
    }

    /// Cuts the network of the tab, or joins it again.
    #[track_caller]
    pub fn goes_offline(&self, offline: bool) -> &Self {
        let network = json!({
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.devtools("Network.enable", &json!({}));
        self.devtools("Network.emulateNetworkConditions", &network);
        self
    }
}
