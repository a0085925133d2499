//! Bytes of a keyboard in the dialog, drawn after each read, in windows of any size. It never fails,
//! keeps every text in the draft, draws no control character, and has its cursor in the window.

#![no_main]

use std::time::Duration;

use askwell_core::request;
use askwell_tui::view::Renderer;
use askwell_tui::{Dialog, DialogOptions, Effect, Event, Pointer};
use libfuzzer_sys::fuzz_target;
use ratatui::Terminal;
use ratatui::backend::{Backend, TestBackend};
use ratatui::layout::Rect;

const REQUEST: &str = include_str!("dialog.json");

fuzz_target!(|bytes: &[u8]| {
    let request = request::from_json(REQUEST).unwrap();
    let options = DialogOptions::default();
    let mut renderer = Renderer::new(&options);
    let mut dialog = Dialog::new(request, options);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut parser = termina::Parser::default();
    let mut now = Duration::ZERO;
    draw(&mut dialog, &mut renderer, &mut terminal, now);
    let mut reads = bytes.split(|byte| *byte == 0xff);
    while let Some(read) = reads.next() {
        now += Duration::from_millis(400);
        let events = match read {
            [0xfe, columns, rows, ..] => {
                let (columns, rows) = (u16::from(*columns % 120), u16::from(*rows % 50));
                terminal.backend_mut().resize(columns, rows);
                terminal.resize(Rect::new(0, 0, columns, rows)).unwrap();
                vec![Event::Resize]
            }
            [0xfd, column, row, how, ..] => {
                let target = renderer.target((*column).into(), (*row).into());
                let how =
                    [Pointer::Click, Pointer::WheelUp, Pointer::WheelDown][usize::from(how % 3)];
                vec![Event::Pointed(target, how)]
            }
            [0xfc, text @ ..] => {
                vec![Event::EditorClosed(Ok(String::from_utf8_lossy(text).into_owned()))]
            }
            keys => {
                parser.parse(keys, false);
                let keys = std::iter::from_fn(|| parser.pop());
                keys.filter_map(|event| match event {
                    termina::Event::Key(key) => Some(Event::Key(key)),
                    termina::Event::Paste(text) => Some(Event::Paste(text)),
                    _ => None,
                })
                .collect()
            }
        };
        for event in events {
            for effect in dialog.update(event, now) {
                match effect {
                    Effect::SaveDraft(_) => drop(dialog.update(Event::DraftSaved(Ok(())), now)),
                    Effect::Submit(_) => {
                        let refused = Event::SubmitRejected(vec!["again".to_owned()]);
                        drop(dialog.update(refused, now));
                    }
                    Effect::End(_) => return,
                    _ => {}
                }
            }
        }
        dialog.end_of_read();
        drop(dialog.update(Event::Tick, now));
        draw(&mut dialog, &mut renderer, &mut terminal, now);
    }
});

fn draw(
    dialog: &mut Dialog,
    renderer: &mut Renderer,
    terminal: &mut Terminal<TestBackend>,
    now: Duration,
) {
    let mut viewport = dialog.viewport();
    let frame = terminal.draw(|frame| viewport = renderer.draw(dialog, frame)).unwrap();
    let area = frame.area;
    let drawn = frame.buffer.content.iter().flat_map(|cell| cell.symbol().chars());
    for character in drawn {
        assert!(!character.is_control(), "{character:?} is drawn");
    }
    let at = terminal.backend_mut().get_cursor_position().unwrap();
    assert!(area.is_empty() || area.contains(at), "{at:?} is outside of {area:?}");
    dialog.drawn(viewport, now);
}
