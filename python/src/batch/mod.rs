//! Copies of a world stepped side by side, without Python.

pub mod expand;

use crate::error::{Error, Outcome};
use crate::scene::Scene;
use expand::Expansion;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use stickslip_f64::StepMemory;

/// What the numbers of `ctrl` are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Positions that the drives aim at.
    #[default]
    Targets,
    /// Efforts beside the drives.
    Efforts,
}

/// When an expansion counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Now and after every reset.
    Now,
    /// After every reset.
    Reset,
}

/// Memory that can be had [bytes], where the system tells it.
fn free_memory() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kilobytes)
}

/// One of the copies.
pub struct Cell {
    /// The world.
    pub scene: Scene,
    /// Why it rests, if it does.
    pub error: Option<Error>,
}

/// Copies of a world.
pub struct Batch {
    /// What a reset goes back to.
    start: Scene,
    /// The copies.
    pub cells: Vec<Cell>,
    /// What differs between them.
    expansions: Vec<Expansion>,
    pool: ThreadPool,
    /// What the worlds of a thread are stepped in, by thread.
    memories: Vec<Mutex<StepMemory>>,
    control: Control,
    /// Numbers of the robots.
    pub robots: Vec<usize>,
    /// How many steps of all worlds take about [`SLICE`].
    slice: usize,
}

/// How long the worlds go on before somebody asks for Ctrl-C: long, since a world that goes on for several steps stays in the
/// processor's cache.
const SLICE: Duration = Duration::from_millis(500);

/// More copies than any memory holds.
const MOST: i64 = 1 << 24;

impl Batch {
    /// So many copies on so many threads (`None`: all cores).
    ///
    /// # Errors
    /// Numbers that are not positive, threads that can't be had.
    pub fn new(scene: &Scene, n: i64, threads: Option<i64>, control: Control) -> Outcome<Self> {
        if !(1..=MOST).contains(&n) {
            return Err(Error::Input(format!(
                "Batch(n={n}): from 1 to {MOST} worlds are wanted"
            )));
        }
        if let Some(threads) = threads.filter(|t| !(1..=4096).contains(t)) {
            return Err(Error::Input(format!(
                "Batch(threads={threads}): from 1 to 4096 threads are wanted, or None for all cores"
            )));
        }
        if n > 1
            && let Some(free) = free_memory()
        {
            // A copy takes more than what a saved world does.
            let least = scene.save()?.len() as f64 * n as f64;
            if least > free {
                return Err(Error::Input(format!(
                    "Batch(n={n}): the worlds take {:.1} GB or more, and {:.1} GB are free",
                    1e-9 * least,
                    1e-9 * free
                )));
            }
        }
        let threads = threads.and_then(|t| usize::try_from(t).ok()).unwrap_or(0);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|k| format!("stickslip-{k}"))
            .build()
            .map_err(|error| Error::Input(format!("Batch(threads={threads}): {error}")))?;
        let start = scene.copied()?;
        let robots = start.names.robots.iter().enumerate();
        let robots = robots.filter(|(_, r)| !r.removed).map(|(k, _)| k).collect();
        let cell = |_| -> Outcome<Cell> {
            Ok(Cell {
                scene: start.copied()?,
                error: None,
            })
        };
        let cells = (0..n).map(cell).collect::<Outcome<Vec<_>>>()?;
        Ok(Self {
            cells,
            start,
            expansions: Vec::new(),
            memories: (0..pool.current_num_threads())
                .map(|_| Mutex::default())
                .collect(),
            pool,
            control,
            robots,
            slice: 1,
        })
    }

    /// The world that the copies were made of.
    pub fn start(&self) -> &Scene {
        &self.start
    }

    /// Threads of the pool.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Numbers in `q`, `v` and `ctrl` of one world.
    pub fn sizes(&self) -> [usize; 3] {
        let robots = self.robots.iter().map(|&r| &self.start.names.robots[r]);
        robots.fold([0; 3], |[q, v, u], r| {
            [q + r.nq(), v + r.nv(), u + r.joint_dofs()]
        })
    }

    /// Hands the numbers of `ctrl` (n x nu) to the worlds.
    pub fn control(&mut self, ctrl: &[f64]) {
        let [_, _, nu] = self.sizes();
        let (robots, control) = (&self.robots, self.control);
        let sizes: Vec<usize> = robots
            .iter()
            .map(|&r| self.start.names.robots[r].joint_dofs())
            .collect();
        let each = |(cell, mut ctrl): (&mut Cell, &[f64])| {
            for (&robot, &size) in robots.iter().zip(&sizes) {
                let own;
                (own, ctrl) = ctrl.split_at(size);
                match control {
                    Control::Targets => {
                        let [_, kp, kd] = cell.scene.drives(robot);
                        cell.scene.set_drives(robot, [own, &kp, &kd]);
                    }
                    Control::Efforts => cell.scene.set_tau(robot, own),
                }
            }
        };
        let cells = self.cells.par_iter_mut();
        if nu > 0 {
            (self.pool).install(|| cells.zip(ctrl.par_chunks_exact(nu)).for_each(each));
        }
    }

    /// Steps every world that has no error, `nstep` times or until `stop` says so after a whole step of all.
    ///
    /// # Errors
    /// What `stop` says.
    pub fn step<E>(
        &mut self,
        nstep: usize,
        mut stop: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut left = nstep;
        while left > 0 {
            let now = left.min(self.slice);
            let start = Instant::now();
            let cells = self.cells.par_iter_mut();
            let memories = &self.memories;
            let each = |cell: &mut Cell| {
                let thread = rayon::current_thread_index().unwrap_or(0);
                let memory = memories[thread].lock();
                let memory = &mut *memory.unwrap_or_else(PoisonError::into_inner);
                cell.scene.pipeline.swap_memory(memory);
                for _ in 0..now {
                    if cell.error.is_none() {
                        cell.error = cell.scene.guarded(Scene::step).err();
                    }
                }
                cell.scene.pipeline.swap_memory(memory);
                if matches!(cell.error, Some(Error::Panic(_))) {
                    // Nobody knows what was left in it.
                    *memory = StepMemory::default();
                }
            };
            // Worlds differ in work: small shares.
            self.pool.install(|| cells.with_max_len(4).for_each(each));
            let took = start.elapsed().max(Duration::from_nanos(1));
            let fit = now as f64 * SLICE.as_secs_f64() / took.as_secs_f64();
            self.slice = (fit as usize).clamp(1, 1 << 20);
            left -= now;
            if left > 0 {
                stop()?;
            }
        }
        Ok(())
    }

    /// Puts worlds back to the start, with what they were expanded by.
    ///
    /// # Errors
    /// Where a copy fails.
    pub fn reset(&mut self, is_meant: &[bool]) -> Outcome<()> {
        let (start, expansions) = (&self.start, &self.expansions);
        let cells = self.cells.par_iter_mut().zip(is_meant).enumerate();
        let cells = cells.filter(|(_, (_, is_meant))| **is_meant);
        self.pool.install(|| {
            cells.try_for_each(|(k, (cell, _))| {
                cell.scene = start.copied()?;
                cell.error = None;
                expansions
                    .iter()
                    .try_for_each(|x| x.apply(&mut cell.scene, k))
            })
        })
    }

    /// Gives every world a value of its own after every reset, and now if `when` says so.
    ///
    /// # Errors
    /// A value that can't be; no world has changed then.
    pub fn expand(&mut self, expansion: Expansion, when: When) -> Outcome<()> {
        let mut trial = self.start.copied()?;
        for k in 0..self.cells.len() {
            expansion
                .apply(&mut trial, k)
                .map_err(|error| Error::Input(format!("world {k}: {}", error.text())))?;
        }
        let cells = self.cells.iter_mut().enumerate();
        for (k, cell) in cells.filter(|_| when == When::Now) {
            expansion.apply(&mut cell.scene, k)?;
        }
        self.expansions
            .retain(|old| !old.is_replaced_by(&expansion));
        self.expansions.push(expansion);
        Ok(())
    }

    /// Writes `size` numbers per world, those of a world without an answer as NaN.
    pub fn gather(
        &self,
        size: usize,
        out: &mut [f64],
        what: impl Fn(&Scene, &mut Vec<f64>) -> Outcome<()> + Sync,
    ) {
        if size == 0 {
            return;
        }
        let cells = self.cells.par_iter();
        let each = |(cell, slots): (&Cell, &mut [f64])| {
            let mut own = Vec::with_capacity(size);
            match what(&cell.scene, &mut own) {
                Ok(()) if own.len() == size => slots.copy_from_slice(&own),
                _ => slots.fill(f64::NAN),
            }
        };
        (self.pool).install(|| cells.zip(out.par_chunks_exact_mut(size)).for_each(each));
    }

    /// Coordinates of all robots of a world, one robot after another; or velocities.
    pub fn numbers(&self, scene: &Scene, velocities: bool, out: &mut Vec<f64>) {
        let mut own = Vec::new();
        for &robot in &self.robots {
            match velocities {
                true => scene.v(robot, &mut own),
                false => scene.q(robot, &mut own),
            }
            out.extend(&own);
        }
    }
}
