//! The widths of a table's columns: each as wide as its texts, as far as the room goes.
//!
//! Must not know what a column contains, or where the table is drawn. All widths are in columns of the terminal.

/// What one column of a table needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    content: usize,
    usual: usize,
    /// Its part of the room that the others leave; 0 for a column that is never cut.
    weight: usize,
    pub is_optional: bool,
}

impl Column {
    const LEFT_OUT: Self = Self { content: 0, usual: 0, weight: 0, is_optional: false };

    /// A column that is never cut. Shorter texts than `usual` do not move the columns beside it, where there is room.
    pub const fn whole(content: usize, usual: usize) -> Self {
        Self { content, usual, weight: 0, is_optional: false }
    }

    /// A column that is cut if the room does not suffice for all texts, by its weight among the columns of this kind, at least 1.
    pub const fn flexible(content: usize, usual: usize, weight: usize) -> Self {
        Self { content, usual, weight, is_optional: false }
    }

    /// Leaves a column out where flexible ones would be cut to less than their usual widths beside it.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// Returns the column with texts of this width.
    #[must_use]
    pub fn holding(self, content: usize) -> Self {
        Self { content, ..self }
    }

    fn is_flexible(&self) -> bool {
        self.weight > 0
    }

    fn roomy(&self) -> usize {
        self.content.max(self.usual)
    }
}

/// Returns the greatest width in each column of a table.
pub fn longest<const N: usize>(rows: impl IntoIterator<Item = [usize; N]>) -> [usize; N] {
    let mut longest = [0; N];
    for row in rows {
        for (longest, width) in longest.iter_mut().zip(row) {
            *longest = width.max(*longest);
        }
    }
    longest
}

/// Divides a room that a table fills, `gap` columns between two columns: flexible columns share what is spare by their
/// weights. Returns 0 for a column that is left out, which has no gap: an optional one, or one with neither texts nor
/// a usual width.
pub fn filling<const N: usize>(columns: [Column; N], gap: usize, room: usize) -> [usize; N] {
    divided(columns, gap, room, true)
}

/// Divides a room like [`filling`], but makes no flexible column wider than its texts.
pub fn fitting<const N: usize>(columns: [Column; N], gap: usize, room: usize) -> [usize; N] {
    divided(columns, gap, room, false)
}

fn divided<const N: usize>(mut columns: [Column; N], gap: usize, room: usize, fills: bool) -> [usize; N] {
    let least: usize = flexible(&columns).map(|column| column.content.min(column.usual)).sum();
    while rest(&columns, gap, room) < least
        && let Some(last) = columns.iter_mut().rfind(|column| column.is_optional)
    {
        *last = Column::LEFT_OUT;
    }
    loop {
        let widths = widths(&columns, gap, room, fills);
        // Without texts, and without room for its usual width. The others have its gap.
        let empty = columns.iter_mut().zip(widths).find(|(column, width)| column.is_optional && *width == 0);
        match empty {
            Some((column, _)) => *column = Column::LEFT_OUT,
            None => return widths,
        }
    }
}

fn widths<const N: usize>(columns: &[Column; N], gap: usize, room: usize, fills: bool) -> [usize; N] {
    let needed: usize = flexible(columns).map(|column| column.content).sum();
    let mut rest = rest(columns, gap, room);
    // Each column that is never cut gets its usual width, as long as no flexible one is cut for it.
    let mut whole = |column: Column| {
        let more = Some(column.roomy() - column.content).filter(|more| needed + more <= rest).unwrap_or(0);
        rest -= more;
        column.content + more
    };
    let mut widths = columns.map(|column| (!column.is_flexible()).then(|| whole(column)));
    if needed <= rest && !fills {
        for (column, width) in columns.iter().zip(&mut widths) {
            width.get_or_insert(column.content);
        }
    }
    share(columns, &mut widths, rest, needed > rest);
    widths.map(Option::unwrap_or_default)
}

fn flexible(columns: &[Column]) -> impl Iterator<Item = &Column> {
    columns.iter().filter(|column| column.is_flexible())
}

/// What the columns that are never cut leave to the others.
fn rest(columns: &[Column], gap: usize, room: usize) -> usize {
    let gaps = gap * columns.iter().filter(|column| column.roomy() > 0).count().saturating_sub(1);
    let whole: usize = columns.iter().filter(|column| !column.is_flexible()).map(|column| column.content).sum();
    room.saturating_sub(gaps + whole)
}

/// Divides the room among the columns without a width, by weight. None gets more than its texts need if the room is
/// scarce for them, else none gets less.
fn share(columns: &[Column], widths: &mut [Option<usize>], mut room: usize, is_scarce: bool) {
    loop {
        let mut open: Vec<_> = columns
            .iter()
            .zip(&mut *widths)
            .filter(|(column, width)| column.is_flexible() && width.is_none())
            .collect();
        let weights: usize = open.iter().map(|(column, _)| column.weight).sum();
        let leaves_its_share = |column: &Column| {
            let (needs, has) = (column.content * weights, room * column.weight);
            if is_scarce { needs <= has } else { needs > has }
        };
        if let Some((column, width)) = open.iter_mut().find(|(column, _)| leaves_its_share(column)) {
            **width = Some(column.content);
            room = room.saturating_sub(column.content);
            continue;
        }
        // Rounds the end of each share and not its width: then no width differs from its share by a whole column.
        let (mut ahead, mut at) = (0, 0);
        for (column, width) in open {
            ahead += column.weight;
            let end = (room * ahead).div_ceil(weights);
            *width = Some(end - at);
            at = end;
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An id, a name, a tag, a state, and a time that may be left out.
    fn plants(name: usize, tag: usize) -> [Column; 5] {
        let (name, tag) = (Column::flexible(name, 16, 2), Column::flexible(tag, 8, 1));
        [Column::whole(4, 4), name, tag, Column::whole(8, 10), Column::whole(8, 8).optional()]
    }

    #[test]
    fn spare_room_is_shared_by_weight_so_that_columns_keep_their_places() {
        for (name, tag) in [(4, 4), (20, 4), (4, 10)] {
            assert_eq!(filling(plants(name, tag), 2, 60), [4, 20, 10, 10, 8], "{name} {tag}");
        }
        assert_eq!(fitting(plants(20, 4), 2, 60), [4, 20, 4, 10, 8]);
    }

    #[test]
    fn a_long_text_takes_the_room_that_others_do_not_need() {
        assert_eq!(filling(plants(24, 4), 2, 60), [4, 24, 6, 10, 8]);
        assert_eq!(filling(plants(4, 24), 2, 60), [4, 6, 24, 10, 8]);
        // The state gives up its spare columns last.
        assert_eq!(filling(plants(28, 4), 2, 60), [4, 28, 4, 8, 8]);
    }

    #[test]
    fn each_column_has_its_usual_width_where_no_text_is_cut_for_it() {
        let columns = [Column::whole(4, 8), Column::flexible(20, 16, 1), Column::whole(8, 10)];
        let widths = [37, 38, 39, 40].map(|room| fitting(columns, 2, room));
        assert_eq!(widths, [[4, 20, 8], [4, 20, 10], [4, 20, 10], [8, 20, 8]]);
    }

    #[test]
    fn only_texts_longer_than_their_share_are_cut() {
        assert_eq!(filling(plants(90, 5), 2, 60), [4, 27, 5, 8, 8]);
        assert_eq!(fitting(plants(5, 90), 2, 60), [4, 5, 27, 8, 8]);
        assert_eq!(fitting(plants(90, 90), 2, 60), [4, 22, 10, 8, 8]);
    }

    #[test]
    fn an_optional_column_is_left_out_where_the_others_need_its_room() {
        assert_eq!(filling(plants(90, 90), 2, 52), [4, 16, 8, 8, 8]);
        assert_eq!(filling(plants(90, 90), 2, 51), [4, 22, 11, 8, 0]);
        assert_eq!(filling(plants(5, 4), 2, 40), [4, 6, 4, 10, 8]);
    }

    #[test]
    fn without_any_room_the_columns_that_are_never_cut_remain() {
        assert_eq!(filling(plants(90, 90), 2, 9), [4, 0, 0, 8, 0]);
    }

    #[test]
    fn an_optional_column_without_texts_or_room_has_no_gap() {
        let columns =
            [Column::whole(1, 0), Column::whole(0, 13).optional(), Column::whole(91, 0), Column::flexible(9, 9, 1)];
        assert_eq!(filling(columns, 2, 97), [1, 0, 91, 1]);
    }

    proptest! {
        #[test]
        fn nothing_is_cut_while_another_column_has_room_to_spare(
            needs in proptest::array::uniform4((0..200_usize, 0..30_usize, 0..4_usize, any::<bool>())),
            gap in 0..3_usize,
            room in 0..400_usize,
            fills in any::<bool>(),
        ) {
            let columns = needs.map(|(content, usual, weight, is_optional)| match (weight, is_optional) {
                (0, false) => Column::whole(content, usual),
                (0, true) => Column::whole(content, usual).optional(),
                _ => Column::flexible(content, usual, weight),
            });
            let widths = divided(columns, gap, room, fills);
            let pairs: Vec<_> = columns.into_iter().zip(widths).collect();
            let is_cut = |(column, width): &(Column, usize)| column.is_flexible() && *width < column.content;
            if pairs.iter().any(is_cut) {
                prop_assert!(pairs.iter().all(|(column, width)| *width <= column.content), "{pairs:?}");
            }
            for (column, width) in &pairs {
                let is_whole = *width >= column.content || (column.is_optional && *width == 0);
                prop_assert!(column.is_flexible() || is_whole, "{pairs:?}");
            }
            let is_shown = |(column, width): &&(Column, usize)| {
                column.roomy() > 0 && (!column.is_optional || *width > 0)
            };
            let shown = pairs.iter().filter(is_shown).count();
            let whole: usize = pairs.iter().filter(|(column, _)| !column.is_flexible()).map(|(_, width)| width).sum();
            let used = widths.iter().sum::<usize>() + gap * shown.saturating_sub(1);
            prop_assert!(used <= room.max(whole + gap * shown.saturating_sub(1)), "{pairs:?}");
            let has_flexible = pairs.iter().any(|(column, _)| column.is_flexible() && column.roomy() > 0);
            prop_assert!(!fills || !has_flexible || used >= room, "{used} of {room} columns are used: {pairs:?}");
        }
    }
}
