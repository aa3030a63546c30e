//! What terminals send, whole and in pieces, with and without its end.

use std::time::Duration;

use proptest::prelude::*;
use ratatui::layout::Position;

use super::key::AltKey;
use super::key::Key::{self, BackTab, Backspace, Char, Ctrl, CtrlBackspace, CtrlDelete, CtrlLeft, CtrlRight, Delete};
use super::key::Key::{Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp, Right, ShiftDown, ShiftUp, Tab, Up};
use super::{Framer, Input, Timing, decode};

const MILLI: Duration = Duration::from_millis(1);

/// A terminal, and a clock that the test sets.
#[derive(Default)]
struct Line {
    framer: Framer,
    now: Duration,
}

impl Line {
    /// Sends bytes in one write.
    fn sends(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.timed(bytes).into_iter().map(|(input, _)| input).collect()
    }

    fn timed(&mut self, bytes: &[u8]) -> Vec<(Input, Timing)> {
        let sequences = self.framer.push(bytes, self.now);
        sequences.into_iter().map(|(sequence, timing)| (decode(sequence), timing)).collect()
    }

    /// Sends nothing for a while.
    fn rests(&mut self, millis: u32) -> Vec<Input> {
        self.now += millis * MILLI;
        let mut inputs = Vec::new();
        while self.framer.deadline().is_some_and(|deadline| deadline <= self.now) {
            inputs.extend(self.framer.expire().into_iter().map(|(sequence, _)| decode(sequence)));
        }
        inputs
    }
}

fn key(key: Key) -> Vec<Input> {
    vec![Input::Key(key)]
}

fn paste(text: &str) -> Vec<Input> {
    vec![Input::Paste(text.to_owned())]
}

/// Keys with Alt.
const ALT: &[(&[u8], AltKey)] = &[
    (b"\x1b\r", AltKey::Other),
    (b"\x1b\t", AltKey::Other),
    (b"\x1b\x03", AltKey::Other),
    (b"\x1bd", AltKey::Char('d')),
    (b"\x1bD", AltKey::Char('d')),
    (b"\x1b\x7f", AltKey::Backspace),
    (b"\x1b\xc3\xa9", AltKey::Char('é')),
    (b"\x1b\x1b[D", AltKey::Left),
    (b"\x1b\x1bOD", AltKey::Left),
    (b"\x1b[1;3C", AltKey::Right),
    (b"\x1b[3;3~", AltKey::Delete),
    (b"\x1b[1;3A", AltKey::Other),
    (b"\x1b[1;7D", AltKey::Other),
    (b"\x1b[100;3u", AltKey::Char('d')),
    (b"\x1b[1;9D", AltKey::Other),
];

/// Keys of kitty's protocol with the text, the code with Shift, Caps Lock, and the code of a layout with Latin letters.
const KITTY: [(&[u8], Key); 7] = [
    (b"\x1b[50;2;64u", Char('@')),
    (b"\x1b[97:65;2u", Char('A')),
    (b"\x1b[97;65u", Char('A')),
    (b"\x1b[97;66u", Char('a')),
    (b"\x1b[128512u", Char('\u{1f600}')),
    (b"\x1b[99::99;5u", Ctrl('c')),
    (b"\x1b[1089::99;5u", Ctrl('c')),
];

/// Everything that a terminal sends as one piece, and what it means.
fn table() -> Vec<(&'static [u8], Vec<Input>)> {
    let mouse = |x, y| Position { x, y };
    let wheel = |x, y, down| vec![Input::Wheel { at: mouse(x, y), down }];
    let keys: &[(&'static [u8], Key)] = &[
        (b"d", Char('d')),
        ("é".as_bytes(), Char('é')),
        ("漢".as_bytes(), Char('漢')),
        ("🌵".as_bytes(), Char('🌵')),
        (b"\r", Enter),
        (b"\t", Tab),
        (b"\x7f", Backspace),
        (b"\x08", Backspace),
        (b"\x03", Ctrl('c')),
        (b"\x0c", Ctrl('l')),
        (b"\x1b[A", Up),
        (b"\x1bOB", Down),
        (b"\x1b[C", Right),
        (b"\x1b[1;5D", CtrlLeft),
        (b"\x1b[1;6C", CtrlRight),
        (b"\x1bOd", CtrlLeft),
        (b"\x1bOa", Up),
        (b"\x1b[a", ShiftUp),
        (b"\x1b[d", Left),
        (b"\x1b[1;2B", ShiftDown),
        (b"\x1b[3;5~", CtrlDelete),
        (b"\x1b[3^", CtrlDelete),
        (b"\x1b[127;5u", CtrlBackspace),
        (b"\x1f", Ctrl('7')),
        (b"\x1b[H", Home),
        (b"\x1b[7~", Home),
        (b"\x1b[7$", Home),
        (b"\x1b[8^", End),
        (b"\x1b[4~", End),
        (b"\x1b[5~", PageUp),
        (b"\x1b[6;2~", PageDown),
        (b"\x1b[3~", Delete),
        (b"\x1b[Z", BackTab),
        (b"\x1bOP", F(1)),
        (b"\x1b[[E", F(5)),
        (b"\x1b[15~", F(5)),
        (b"\x1b[24~", F(12)),
        (b"\x1b[1;2P", F(1)),
        // kitty's protocol, and xterm's modifyOtherKeys.
        (b"\x1b[97u", Char('a')),
        (b"\x1b[97;2u", Char('A')),
        (b"\x1b[99;5u", Ctrl('c')),
        (b"\x1b[97;1:2u", Char('a')),
        (b"\x1b[27;2;9~", BackTab),
        (b"\x1b[27u", Esc),
    ];
    let replies: &[&[u8]] = &[
        b"\x1b[?62;4;22c",
        b"\x1b[>41;354;0c",
        b"\x1b[=0;1;0c",
        b"\x1b[?997;1n",
        b"\x1b[?2026;2$y",
        b"\x1b[4;2$y",
        b"\x1b[12;40R",
        b"\x1b[8;36;120t",
        b"\x1b[?1u",
        b"\x1bP>|XTerm(379)\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1bP1+r544e=787465726d\x1b\\",
        b"\x1b_Gi=31;OK\x1b\\",
        b"\x1b^dad\x1b\\",
        b"\x1bXdad\x1b\\",
        b"\x1b]12;rgb:ffff/ffff/ffff\x07",
        b"\x1b]52;c;ZGVsZXRl\x1b\\",
        b"\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
        b"\x1b[97;1:3u",
        b"\x1b[13;1:2u",
        b"\x1b[<35;6;6M",
        b"\x1b[<0;6;6m",
        b"\x1b[M###",
        b"\x1b[2~",
        b"\x1bOj",
    ];
    let background = "11;rgb:0a0a/0d0d/0a0a";
    let others: Vec<(&'static [u8], Vec<Input>)> = vec![
        (b"\x1b]11;rgb:0a0a/0d0d/0a0a\x1b\\", vec![Input::Background(background.to_owned())]),
        (b"\x1b]11;rgb:0a0a/0d0d/0a0a\x07", vec![Input::Background(background.to_owned())]),
        (b"\x1b[0n", vec![Input::Status]),
        (b"\x1b[I", vec![Input::Focus(true)]),
        (b"\x1b[O", vec![Input::Focus(false)]),
        (b"\x1b[<0;6;7M", vec![Input::Click(mouse(5, 6))]),
        (b"\x1b[<64;300;7M", wheel(299, 6, false)),
        (b"\x1b[<69;1;1M", wheel(0, 0, true)),
        (b"\x1b[M !!", vec![Input::Click(mouse(0, 0))]),
        (b"\x1b[M`\xff\xff", wheel(222, 222, false)),
        (b"\x1b[M\x00\x00\x00", vec![Input::Click(mouse(0, 0))]),
        (b"\x1b[200~dynamic\r\x03\x1b[A\x1b[201~", paste("dynamic\r\u{3}\u{1b}[A")),
        ("\x1b[200~é漢\x1b[201~".as_bytes(), paste("é漢")),
        (b"\x1b[200~\x1b[201~", paste("")),
    ];
    let keys = keys.iter().map(|(bytes, pressed)| (*bytes, key(*pressed)));
    let replies = replies.iter().map(|bytes| (*bytes, vec![Input::Unknown]));
    let alt = ALT.iter().map(|(bytes, with)| (*bytes, key(Key::Alt(*with))));
    let kitty = KITTY.iter().map(|(bytes, pressed)| (*bytes, key(*pressed)));
    keys.chain(kitty).chain(alt).chain(replies).chain(others).collect()
}

#[test]
fn every_sequence_is_one_input_wherever_it_is_split() {
    for (bytes, meant) in table() {
        let shown = String::from_utf8_lossy(bytes).escape_debug().to_string();
        assert_eq!(Line::default().sends(bytes), meant, "{shown}");
        for at in 1..bytes.len() {
            let mut line = Line::default();
            let (first, second) = bytes.split_at(at);
            let mut inputs = line.sends(first);
            inputs.extend(line.rests(20));
            inputs.extend(line.sends(second));
            assert_eq!(inputs, meant, "{shown} split at {at}");
        }
        let mut line = Line::default();
        let mut inputs = Vec::new();
        for byte in bytes {
            // Five milliseconds for each byte, as on a slow serial line.
            inputs.extend(line.rests(5));
            inputs.extend(line.sends(&[*byte]));
        }
        assert_eq!(inputs, meant, "{shown} byte by byte");
    }
}

#[test]
fn sequences_in_one_write_stay_apart() {
    for (first, meant) in table() {
        for (second, meant_second) in table() {
            let mut line = Line::default();
            let inputs = line.sends(&[first, second].concat());
            assert_eq!(inputs, [meant.clone(), meant_second].concat(), "{first:?} {second:?}");
        }
    }
}

#[test]
fn a_lone_esc_is_esc_after_50_ms() {
    let mut line = Line::default();
    assert_eq!(line.sends(b"\x1b"), []);
    assert_eq!(line.rests(49), []);
    assert_eq!(line.rests(1), key(Esc));
    // Twice in one write is once: the second was not meant for what is behind.
    assert_eq!(line.sends(b"\x1b\x1b"), []);
    assert_eq!(line.rests(50), key(Esc));
    assert_eq!(line.sends(b"\x1b\x1b\x1b[A"), [Input::Key(Esc), Input::Key(Key::Alt(AltKey::Other))]);
}

#[test]
fn what_belongs_to_a_sequence_without_its_end_is_dropped() {
    for (begun, millis) in [
        (&b"\x1b["[..], 1000),
        (b"\x1b[?62;4", 1000),
        (b"\x1b[M#", 1000),
        (b"\x1b[[", 1000),
        (b"\x1bO", 1000),
        (b"\xe6\xbc", 1000),
        (b"\x1b]52;c;dd", 2000),
        (b"\x1bPdd", 2000),
        (b"\x1b_dd", 2000),
    ] {
        let mut line = Line::default();
        assert_eq!(line.sends(begun), [], "{begun:?}");
        assert_eq!(line.rests(millis - 1), [], "{begun:?}");
        assert_eq!(line.rests(1), [Input::Unknown], "{begun:?}");
        assert_eq!(line.sends(b"d"), key(Char('d')), "{begun:?}");
    }
    // Its time is over, but it goes on: all of it is dropped up to a pause.
    let mut line = Line::default();
    assert_eq!(line.sends(b"\x1bP"), []);
    for _ in 0..40 {
        assert_eq!([line.rests(100), line.sends(b"dy\r")], [const { Vec::new() }; 2]);
    }
    assert_eq!(line.rests(299), []);
    assert_eq!(line.rests(1), [Input::Unknown]);
    // Or up to its own end.
    let mut line = Line::default();
    line.sends(b"\x1bP");
    for _ in 0..40 {
        line.rests(100);
        line.sends(b"dy\r");
    }
    assert_eq!(line.sends(b"\x1b\\d"), [Input::Unknown, Input::Key(Char('d'))]);
}

#[test]
fn a_string_is_kept_up_to_64_kib_and_dropped_whole_beyond() {
    let mut line = Line::default();
    assert_eq!(line.sends(b"\x1b]11;rgb:"), []);
    assert_eq!(line.sends(&b"d".repeat(70_000)), []);
    assert_eq!(line.sends(b"\x07d"), [Input::Unknown, Input::Key(Char('d'))]);
    line.sends(b"\x1b]");
    line.sends(&b"d".repeat(70_000));
    assert_eq!(line.rests(299), []);
    assert_eq!(line.rests(1), [Input::Unknown]);
}

#[test]
fn a_paste_without_its_end_is_over_after_five_seconds_and_is_text() {
    let mut line = Line::default();
    assert_eq!(line.sends(b"\x1b[200~dynamic\r"), []);
    assert_eq!(line.rests(4999), []);
    assert_eq!(line.sends(b"x"), []);
    assert_eq!(line.rests(5000), paste("dynamic\rx"));
    assert_eq!(line.sends(b"\x03"), key(Ctrl('c')));
}

#[test]
fn ctrl_c_ends_a_paste_without_its_end_after_a_moment() {
    let mut line = Line::default();
    line.sends(b"\x1b[200~dynamic");
    assert_eq!(line.sends(b"\x03"), [], "a piece of the paste");
    assert_eq!(line.rests(300), []);
    assert_eq!(line.sends(b"x\x03"), [], "another piece");
    assert_eq!(line.rests(300), []);
    assert_eq!(line.sends(b"\x03"), [paste("dynamic\u{3}x\u{3}"), key(Ctrl('c'))].concat());
}

#[test]
fn ctrl_c_in_a_read_of_its_own_gets_through_but_not_into_a_paste() {
    for begun in [&b"\x1b["[..], b"\x1b]11;", b"\x1bP", b"\x1bO", b"\xe6"] {
        let mut line = Line::default();
        line.sends(begun);
        assert_eq!(line.sends(b"\x03"), [Input::Unknown, Input::Key(Ctrl('c'))], "{begun:?}");
        // In one read with others it belongs to the sequence.
        line.sends(b"\x1bP");
        assert_eq!(line.sends(b"\x03\x03"), []);
    }
}

#[test]
fn an_input_knows_when_it_arrived_and_what_was_before_it() {
    let mut line = Line { now: 1000 * MILLI, ..Line::default() };
    let timings = |line: &mut Line, bytes: &[u8]| {
        line.timed(bytes).into_iter().map(|(_, Timing { at, quiet })| [at, quiet]).collect::<Vec<_>>()
    };
    assert_eq!(timings(&mut line, b"dy"), [[1000 * MILLI, 1000 * MILLI], [1000 * MILLI, Duration::ZERO]]);
    line.rests(200);
    // The time of a sequence is that of its first byte.
    assert!(timings(&mut line, b"\x1b").is_empty());
    line.rests(20);
    assert_eq!(timings(&mut line, b"[A"), [[1200 * MILLI, 200 * MILLI]]);
    line.rests(30);
    assert_eq!(timings(&mut line, b"y"), [[1250 * MILLI, 30 * MILLI]]);
}

proptest! {
    /// Splits and pauses too short for a deadline change nothing.
    #[test]
    fn pieces_mean_the_same_as_the_whole(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\x1b[]OP_\\;?$M~019AR\x07\r".to_vec())], 0..60),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let whole = {
            let mut line = Line::default();
            let mut inputs = line.sends(&bytes);
            inputs.extend(line.rests(100_000));
            inputs
        };
        let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        ends.push(bytes.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut line, mut inputs, mut from) = (Line::default(), Vec::new(), 0);
        for end in ends {
            // Ctrl-C alone is another case.
            if bytes[from..end] != [3] {
                inputs.extend(line.sends(&bytes[from..end]));
                from = end;
            }
            inputs.extend(line.rests(20));
        }
        inputs.extend(line.sends(&bytes[from..]));
        inputs.extend(line.rests(100_000));
        prop_assume!(bytes[from..] != [3]);
        prop_assert_eq!(inputs, whole);
    }
}
