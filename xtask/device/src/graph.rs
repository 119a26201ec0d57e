//! The call graph of a linked image, read from its machine code, and the deepest stack on any way through it.
//!
//! What a function needs is its frame and the most that any function needs that it calls. Before the tail call of another
//! its own frame is gone. Recursion and calls through a pointer have no bound of this kind: they are named, and the bound
//! is then none.
//!
//! A frame is told by the compiler, or read from the machine code of what was compiled before. Where both are known they must be
//! the same.
//!
//! A jump through a register is taken for a table of the function's own cases where the image holds such a table, which
//! is a word that points into the middle of the function, or where the set has no tables but by such jumps (`mov pc`);
//! else for the tail call of what a pointer points at.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Set;
use crate::elf::Image;
use crate::machine::{Flow, riscv, thumb};

/// A function and what it calls.
#[derive(Default, Debug)]
struct Node {
    /// Bytes of its frame.
    frame: u32,
    calls: BTreeSet<u32>,
    /// Functions that it ends by jumping to.
    tails: BTreeSet<u32>,
    /// Whether it calls through a pointer.
    indirect: bool,
    /// Whether its machine code takes another frame than the compiler tells.
    doubtful: bool,
}

/// The deepest stack below a function, its own frame included.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) bytes: u32,
    /// The functions on the way there, each with its frame.
    pub(crate) way: Vec<(String, u32)>,
    /// Functions from which a way leads back to them.
    pub(crate) recursive: Vec<String>,
    /// Functions that call through a pointer.
    pub(crate) indirect: Vec<String>,
    /// Functions whose frame the compiler tells otherwise than their machine code.
    pub(crate) doubtful: Vec<String>,
}

/// The call graph of an image.
pub(crate) struct Graph<'i> {
    image: &'i Image,
    nodes: BTreeMap<u32, Node>,
}

impl<'i> Graph<'i> {
    /// Reads the machine code of all functions.
    pub(crate) fn new(image: &'i Image, set: Set) -> Self {
        let mut tables = BTreeSet::new();
        for word in image.words() {
            let address = if set == Set::Thumb { word & !1 } else { word };
            if let Some(start) = image.function_at(address).filter(|&start| start != address) {
                tables.insert(start);
            }
        }
        let node = |(&start, function): (&u32, &crate::elf::Function)| {
            (start, read(image, set, start, function.size, tables.contains(&start)))
        };
        let nodes = image.functions.iter().map(node).collect();
        Self { image, nodes }
    }

    /// What the function at `root` needs.
    pub(crate) fn bound(&self, root: u32) -> Bound {
        let mut walk =
            Walk { graph: self, known: BTreeMap::new(), open: Vec::new(), bound: Bound::default() };
        let depth = walk.deepest(root);
        let mut bound = walk.bound;
        bound.bytes = depth.bytes;
        bound.way = depth.way.iter().map(|&(at, frame)| (self.name(at), frame)).collect();
        bound
    }

    fn name(&self, address: u32) -> String {
        self.image.functions.get(&address).map(|function| function.name.clone()).unwrap_or_default()
    }
}

#[derive(Clone, Default)]
struct Depth {
    bytes: u32,
    way: Vec<(u32, u32)>,
}

struct Walk<'g> {
    graph: &'g Graph<'g>,
    known: BTreeMap<u32, Depth>,
    open: Vec<u32>,
    bound: Bound,
}

impl Walk<'_> {
    fn deepest(&mut self, at: u32) -> Depth {
        if let Some(depth) = self.known.get(&at) {
            return depth.clone();
        }
        if self.open.contains(&at) {
            self.bound.recursive.push(self.graph.name(at));
            return Depth::default();
        }
        let Some(node) = self.graph.nodes.get(&at) else { return Depth::default() };
        if node.indirect {
            self.bound.indirect.push(self.graph.name(at));
        }
        if node.doubtful {
            self.bound.doubtful.push(self.graph.name(at));
        }
        self.open.push(at);
        let mut deepest = Depth { bytes: node.frame, way: vec![(at, node.frame)] };
        for (frame, callees) in [(node.frame, &node.calls), (0, &node.tails)] {
            for &callee in callees {
                let below = self.deepest(callee);
                if frame + below.bytes > deepest.bytes {
                    let way = [(at, frame)].into_iter().chain(below.way).collect();
                    deepest = Depth { bytes: frame + below.bytes, way };
                }
            }
        }
        self.open.pop();
        self.known.insert(at, deepest.clone());
        deepest
    }
}

/// Reads the function of `size` bytes at `start`.
fn read(image: &Image, set: Set, start: u32, size: u32, has_table: bool) -> Node {
    let mut node = Node::default();
    let (mut arm, mut riscv) = (thumb::Decoder::default(), riscv::Decoder::default());
    let (mut at, end) = (start, start + size);
    let mut sunk = 0;
    while at < end {
        if let Some((_, false)) = image.stretches.range(..=at).next_back() {
            // Constants among the code, to the next instruction.
            at = image.stretches.range(at + 1..).next().map_or(end, |(&next, _)| next);
            continue;
        }
        let code = image.bytes(at);
        let code = code.get(..(end - at) as usize).unwrap_or(code);
        let instruction = match set {
            Set::Thumb => arm.next(at, code, |address| image.word(address)),
            Set::RiscV => riscv.next(at, code),
        };
        let Some(instruction) = instruction else { break };
        sunk += instruction.sinks;
        match instruction.flow {
            // ARMv6-M has no far jump, so that a call serves within a large function.
            Some(Flow::Call(target)) if !(start + 1..end).contains(&target) => {
                node.calls.extend(image.function_at(target));
            }
            Some(Flow::Jump(target)) if !(start..end).contains(&target) => {
                node.tails.extend(image.function_at(target));
            }
            Some(Flow::IndirectCall) => node.indirect = true,
            Some(Flow::IndirectJump) if !has_table => node.indirect = true,
            Some(Flow::Call(_) | Flow::Jump(_) | Flow::IndirectJump) | None => {}
        }
        at += instruction.size as u32;
    }
    node.frame = image.frames.get(&start).copied().unwrap_or(sunk);
    node.doubtful = node.frame != sunk;
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::Function;

    /// Functions of 16 bytes at multiples of 16 from 16 on.
    fn image(count: u32) -> Image {
        let mut image = Image::parse(&empty());
        for index in 1..=count {
            image.functions.insert(index * 16, Function { name: index.to_string(), size: 16 });
        }
        image
    }

    /// An ELF32 file without a section.
    fn empty() -> Vec<u8> {
        let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
        bytes.resize(16, 0);
        bytes.extend([2, 0, 40, 0, 1, 0, 0, 0]);
        bytes.resize(52, 0);
        bytes[40] = 52;
        bytes
    }

    fn node(frame: u32, calls: &[u32], tails: &[u32]) -> Node {
        let at = |indices: &[u32]| indices.iter().map(|index| index * 16).collect();
        Node { frame, calls: at(calls), tails: at(tails), ..Node::default() }
    }

    fn bound(image: &Image, nodes: Vec<Node>) -> Bound {
        let nodes = nodes.into_iter().zip(1..).map(|(node, index)| (index * 16, node)).collect();
        Graph { image, nodes }.bound(16)
    }

    #[test]
    fn the_deepest_way_counts_and_a_tail_call_has_the_frame_before_it_gone() {
        let image = image(4);
        let found = bound(
            &image,
            vec![node(8, &[2, 3], &[]), node(100, &[], &[4]), node(16, &[4], &[]), node(90, &[], &[])],
        );
        assert_eq!(found.bytes, 8 + 16 + 90);
        assert_eq!(found.way, [("1".to_owned(), 8), ("3".to_owned(), 16), ("4".to_owned(), 90)]);
        assert!(found.recursive.is_empty() && found.indirect.is_empty());
        let found = bound(
            &image,
            vec![node(8, &[2], &[]), node(100, &[], &[4]), node(0, &[], &[]), node(120, &[], &[])],
        );
        assert_eq!(found.bytes, 8 + 120);
    }

    #[test]
    fn recursion_and_pointers_are_named() {
        let image = image(3);
        let pointer = Node { indirect: true, ..node(4, &[2], &[]) };
        let found = bound(&image, vec![node(8, &[2], &[]), node(8, &[3], &[]), pointer]);
        assert_eq!((found.recursive, found.indirect), (vec!["2".to_owned()], vec!["3".to_owned()]));
    }
}
