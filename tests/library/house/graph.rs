//! Which file of `src` names an item that which other file defines.
//!
//! Reads the sources with `syn`, follows `use`, `pub use`, `self`, `super` and `crate` to the file that
//! defines a name, and leaves out what is compiled for tests alone. Paths inside macros are read as
//! tokens. Methods are not followed: a call names no item.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A module's names from the crate's root: `["app", "update"]`.
type Module = Vec<String>;

/// What a name stands for inside a module.
#[derive(Debug, Clone)]
enum Name {
    /// An item that the module itself defines.
    Item,
    /// What `use` brought: the path as written, to be resolved in the module.
    Used(Vec<String>),
}

#[derive(Debug, Default)]
struct Scope {
    file: PathBuf,
    /// Apart from the names: a module and a function may share one.
    modules: BTreeMap<String, Module>,
    names: BTreeMap<String, Name>,
    globs: Vec<Vec<String>>,
    /// Paths that the module names, except by `pub use`.
    paths: BTreeSet<Vec<String>>,
}

/// Edges from a file to those whose items it names, with the names.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    edges: BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>,
}

/// The sources of a crate: path below `src` and text.
pub(crate) fn graph<'source>(sources: impl IntoIterator<Item = (&'source Path, &'source str)>) -> Graph {
    let mut scopes = BTreeMap::new();
    for (file, text) in sources {
        let parsed = syn::parse_file(text).map_err(|error| format!("{}: {error}", file.display())).unwrap();
        read_items(&parsed.items, module_of(file), file, &mut scopes);
    }
    let mut graph = Graph::default();
    for (module, scope) in &scopes {
        for path in &scope.paths {
            let Some((owner, item)) = resolve(&scopes, module, path, 0) else { continue };
            let target = &scopes[&owner].file;
            if *target != scope.file {
                let names = graph.edges.entry(scope.file.clone()).or_default();
                names.entry(target.clone()).or_default().insert(item);
            }
        }
    }
    graph
}

fn module_of(file: &Path) -> Module {
    let mut parts: Module = file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let named = |name| attribute.path().is_ident(name);
        let words = || attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        named("test") || (named("cfg") && words() == "test")
    })
}

fn read_items(items: &[Item], module: Module, file: &Path, scopes: &mut BTreeMap<Module, Scope>) {
    let mut scope = Scope { file: file.to_owned(), ..Scope::default() };
    for item in items {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Mod(item) => (&item.attrs, None),
            Item::Impl(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            Item::ExternCrate(_) | Item::ForeignMod(_) | Item::TraitAlias(_) | Item::Verbatim(_) | _ => continue,
        };
        if is_for_tests(attributes) {
            continue;
        }
        if let Some(name) = name {
            scope.names.insert(name.unraw().to_string(), Name::Item);
        }
        if let Item::Mod(ItemMod { ident, content, .. }) = item {
            let inner: Module = module.iter().cloned().chain([ident.to_string()]).collect();
            scope.modules.insert(ident.to_string(), inner.clone());
            if let Some((_, items)) = content {
                read_items(items, inner, file, scopes);
            }
        } else {
            Paths { scope: &mut scope }.visit_item(item);
        }
    }
    scopes.insert(module, scope);
}

/// Gathers the paths of an item, and what `use` brings into scope, also inside functions.
struct Paths<'scope> {
    scope: &'scope mut Scope,
}

impl Paths<'_> {
    fn brings(&mut self, tree: &UseTree, before: &[String], is_public: bool) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        let (name, path) = match tree {
            UseTree::Path(path) => return self.brings(&path.tree, &with(path.ident.to_string()), is_public),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.brings(tree, before, is_public)),
            UseTree::Glob(_) => return self.scope.globs.push(before.to_vec()),
            UseTree::Name(name) if name.ident == "self" => (before.last().unwrap().clone(), before.to_vec()),
            UseTree::Name(name) => (name.ident.to_string(), with(name.ident.to_string())),
            UseTree::Rename(rename) => (rename.rename.to_string(), with(rename.ident.to_string())),
        };
        if !is_public {
            self.scope.paths.insert(path.clone());
        }
        self.scope.names.insert(name, Name::Used(path));
    }

    /// Words joined by `::`, from the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.names(&mut path);
                    }
                    path.push(ident.unraw().to_string());
                    colons = 0;
                }
                TokenTree::Group(group) => {
                    self.names(&mut path);
                    self.tokens(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.names(&mut path);
                    colons = 0;
                }
            }
        }
        self.names(&mut path);
    }

    fn names(&mut self, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.scope.paths.insert(path.clone());
        }
        path.clear();
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.brings(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.scope.paths.insert(path.segments.iter().map(|part| part.ident.unraw().to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }
}

/// The module that defines what a path names, and its name there; `None` for what is outside the crate.
fn resolve(scopes: &BTreeMap<Module, Scope>, from: &Module, path: &[String], depth: usize) -> Option<(Module, String)> {
    let (mut module, mut rest) = (from.clone(), path);
    let mut anchored = false;
    while let [first, more @ ..] = rest {
        match first.as_str() {
            "crate" => module = Module::new(),
            "self" if !anchored || module == *from => {}
            "super" => drop(module.pop()),
            _ => break,
        }
        (rest, anchored) = (more, true);
    }
    let [first, more @ ..] = rest else { return None };
    let scope = scopes.get(&module)?;
    if depth > 32 {
        return None;
    }
    if let Some(inner) = scope.modules.get(first).filter(|_| !more.is_empty()) {
        let below: Vec<_> = ["self".to_owned()].into_iter().chain(more.iter().cloned()).collect();
        return resolve(scopes, inner, &below, depth + 1);
    }
    match scope.names.get(first) {
        Some(Name::Item) => Some((module, first.clone())),
        Some(Name::Used(used)) if *used == path => None,
        Some(Name::Used(used)) => {
            let whole: Vec<_> = used.iter().chain(more).cloned().collect();
            resolve(scopes, &module, &whole, depth + 1)
        }
        None if scope.modules.contains_key(first) => None,
        None => scope.globs.iter().find_map(|glob| {
            let whole: Vec<_> = glob.iter().chain(rest).cloned().collect();
            resolve(scopes, &module, &whole, depth + 1)
        }),
    }
}

impl Graph {
    /// Each file with each other one whose items it names.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.edges.iter().flat_map(|(from, to)| to.keys().map(|to| (from.as_path(), to.as_path())))
    }

    /// The groups of files that import each other in a circle, largest first.
    pub(crate) fn cycles(&self) -> Vec<Vec<&Path>> {
        let files: BTreeSet<&Path> = self.edges.keys().map(PathBuf::as_path).collect();
        let reach: BTreeMap<&Path, BTreeSet<&Path>> =
            files.iter().map(|file| (*file, self.reached_from(file))).collect();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for file in &files {
            let circle: Vec<&Path> = reach[file]
                .iter()
                .copied()
                .filter(|other| reach.get(other).is_some_and(|back| back.contains(file)))
                .collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                cycles.push(circle);
            }
        }
        cycles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        cycles
    }

    fn reached_from<'graph>(&'graph self, file: &Path) -> BTreeSet<&'graph Path> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            for next in self.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(next.as_path()) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// A line for each edge inside a group of files: who names what of whom.
    pub(crate) fn edges_within(&self, circle: &[&Path]) -> Vec<String> {
        let mut lines = Vec::new();
        for from in circle {
            for (to, names) in self.edges.get(*from).into_iter().flatten() {
                if circle.contains(&to.as_path()) {
                    let names: Vec<_> = names.iter().map(String::as_str).collect();
                    lines.push(format!("{} -> {}: {}", from.display(), to.display(), names.join(", ")));
                }
            }
        }
        lines
    }
}
