//! Cycles in who beats whom: A beats B, B beats C, C beats A.

use std::collections::VecDeque;

/// Nodes that all lead to one another, and a shortest way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The strongly connected component, ascending.
    pub members: Vec<usize>,
    /// A shortest cycle among them, from its smallest node; each beats the next
    /// and the last the first.
    pub shortest: Vec<usize>,
}

/// The strongly connected components with more than one node, by their smallest
/// node. Edges to nodes that do not exist, or from a node to itself, are left out.
pub fn cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<Cycle> {
    let (mut forward, mut backward) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
    for &(from, to) in edges {
        if from < nodes && to < nodes && from != to {
            forward[from].push(to);
            backward[to].push(from);
        }
    }
    let mut placed = vec![false; nodes];
    let mut found = Vec::new();
    for start in 0..nodes {
        if placed[start] {
            continue;
        }
        let (ahead, behind) = (reach(&forward, start), reach(&backward, start));
        let together = |node: &usize| ahead[*node].is_some() && behind[*node].is_some();
        let members: Vec<usize> = (0..nodes).filter(together).collect();
        for member in &members {
            placed[*member] = true;
        }
        if members.len() > 1 {
            let ways = members.iter().filter_map(|member| round(&forward, *member));
            let shortest = ways.min_by_key(Vec::len).unwrap_or_default();
            found.push(Cycle { members, shortest });
        }
    }
    found
}

/// For every node that is reached, the one it is reached from first (the start from itself).
fn reach(edges: &[Vec<usize>], start: usize) -> Vec<Option<usize>> {
    let mut from = vec![None; edges.len()];
    from[start] = Some(start);
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for &next in &edges[node] {
            if from[next].is_none() {
                from[next] = Some(node);
                open.push_back(next);
            }
        }
    }
    from
}

/// A shortest cycle through a node.
fn round(edges: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    let from = reach(edges, start);
    let way_back = |last: usize| {
        let mut way = vec![last];
        let mut node = last;
        while node != start {
            node = from[node]?;
            way.push(node);
        }
        way.reverse();
        Some(way)
    };
    let lasts = (0..edges.len()).filter(|node| edges[*node].contains(&start));
    lasts.filter_map(way_back).min_by_key(Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_no_cycle() {
        assert_eq!(cycles(3, &[(0, 1), (1, 2), (0, 2)]), []);
        assert_eq!(cycles(0, &[]), []);
        assert_eq!(cycles(2, &[(0, 0), (1, 9)]), []);
    }

    #[test]
    fn the_shortest_way_round_is_named() {
        // 0 > 1 > 2 > 3 > 0, with the chord 2 > 0; 4 beats all
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (4, 0), (4, 1)];
        let expected = Cycle {
            members: vec![0, 1, 2, 3],
            shortest: vec![0, 1, 2],
        };
        assert_eq!(cycles(5, &edges), [expected]);
    }

    #[test]
    fn two_cycles_are_two() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        let found = cycles(6, &edges);
        let members: Vec<_> = found.iter().map(|cycle| cycle.members.clone()).collect();
        assert_eq!(members, [[0, 1, 2], [3, 4, 5]]);
    }
}
