import type { FramedPassage, FrameRoom } from './chosen-passages.ts'
import { keepingPeople, sharesOf, showsPeople, UNSURE, wantedShare } from './heads.ts'
import { createWeigher, GOOD, type Weigher } from './passage-worth.ts'
import { framesIn, msOfFrames } from './passage-steps.ts'
import type { Moment, MomentKind } from './types.ts'

/** Shorter passages between two fades are a flicker. */
const LEAST_MS = 1500
/** Whole passages are given up for this much more of people. */
const CLEARLY = 0.1
/** What a shot loses that should not be shown: one without people that follows the last of them. */
const UNWANTED = 3
/** Of two ends of the same worth, the one of the longer passage is left out. */
const LONG = 0.02
const LEFT_OUT: readonly MomentKind[] = ['black', 'title', 'unseen']

/**
 * The same passages where none of them has a cut of the source in it and people are seen as long as
 * is wanted. Else others, of lengths that the shots of the source allow: one in each of the best
 * shots, without black and titles, together as long as the room; or the same ones where the shots
 * have less than that, or hardly more people.
 * @param most passages, unless fewer would be too short together
 */
export function withinShots(
  passages: readonly FramedPassage[],
  moments: readonly Moment[],
  room: FrameRoom,
  most: number,
): readonly FramedPassage[] {
  const { hasCut } = createWeigher(moments)
  const isWhole = ({ startMs, frames }: FramedPassage): boolean =>
    !hasCut(startMs, msOfFrames(frames, room))
  const own = passages.map((each) => ({ ...each, durationMs: msOfFrames(each.frames, room) }))
  const share = sharesOf(moments, own).framed
  const areWhole = passages.every(isWhole)
  if (areWhole && share >= wantedShare(moments) - UNSURE) return passages
  const shots = shotsIn(moments, room)
  const lastOfPeople = shots.findLast(hasPeople)
  const found = keepingPeople(moments, (people) => {
    const weigher = createWeigher(moments, people)
    const isUnwanted = (window: Window): boolean =>
      lastOfPeople !== undefined &&
      (window.startMs > lastOfPeople.startMs || (people.isClose && !hasPeople(window)))
    const cut = shortened(bestWindows(shots, weigher, room, { most, isUnwanted }), weigher, room)
    return cut?.map((each) => ({ ...each, durationMs: msOfFrames(each.frames, room) })) ?? own
  })
  if (areWhole && sharesOf(moments, found).framed < share + CLEARLY) return passages
  return found.map(({ startMs, frames }) => ({ startMs, frames }))
}

/** A part of one shot, as the stretches that it shows. */
interface Window {
  readonly stretches: readonly Moment[]
  readonly startMs: number
  readonly frames: number
}

function hasPeople({ stretches }: Window): boolean {
  return stretches.some((each) => showsPeople(each) && (each.fault ?? 0) < 1)
}

function shotsIn(moments: readonly Moment[], room: FrameRoom): readonly Window[] {
  const shots: Moment[][] = []
  for (const [index, moment] of moments.entries()) {
    if (LEFT_OUT.includes(moment.shows)) continue
    const before = moments[index - 1]
    const goesOn =
      before !== undefined &&
      before === shots.at(-1)?.at(-1) &&
      !moment.startsShot &&
      moment.atMs - endOf(before) < 2
    if (goesOn) shots.at(-1)?.push(moment)
    else shots.push([moment])
  }
  const least = framesIn(LEAST_MS, room)
  return shots.map((each) => windowOf(each, room)).filter(({ frames }) => frames >= least)
}

function windowOf(stretches: readonly Moment[], { frameRate }: FrameRoom): Window {
  const startMs = stretches[0]?.atMs ?? 0
  const last = stretches.at(-1)
  const endMs = last === undefined ? startMs : endOf(last)
  const frames = Math.floor(((endMs - startMs) / 1000) * frameRate.value)
  return { stretches, startMs, frames }
}

function endOf({ atMs, lengthMs }: Moment): number {
  return atMs + lengthMs
}

/** By how much the windows are longer together than the room with their fades. */
function excessOf(windows: readonly Window[], { totalFrames, fadeFrames }: FrameRoom): number {
  const frames = windows.reduce((sum, each) => sum + each.frames - fadeFrames, fadeFrames)
  return frames - totalFrames
}

/**
 * Without the unwanted ones and then the worst, while there are too many or they are no good, and
 * the others suffice.
 */
function bestWindows(
  windows: readonly Window[],
  weigher: Weigher,
  room: FrameRoom,
  { most, isUnwanted }: { readonly most: number; readonly isUnwanted: (window: Window) => boolean },
): readonly Window[] {
  const worthOf = (window: Window): number =>
    weigher.worth(window.startMs, msOfFrames(window.frames, room)) -
    (isUnwanted(window) ? UNWANTED : 0)
  let kept = windows
  for (const worst of windows.toSorted((a, b) => worthOf(a) - worthOf(b))) {
    if (kept.length <= most && worthOf(worst) >= GOOD) break
    const others = kept.filter((each) => each !== worst)
    if (excessOf(others, room) >= 0) kept = others
  }
  return kept
}

/** An end of a window that may be left out. */
interface End {
  readonly window: Window
  readonly isFirst: boolean
  readonly frames: number
  readonly worth: number
}

/** The windows without their worst ends, as long as the room; null where they cannot be. */
function shortened(
  windows: readonly Window[],
  weigher: Weigher,
  room: FrameRoom,
): readonly FramedPassage[] | null {
  let kept = windows
  let excess = excessOf(kept, room)
  if (excess < 0) return null
  while (excess > 0) {
    const worst = kept
      .flatMap((window) => [
        endAt(window, true, weigher, room),
        endAt(window, false, weigher, room),
      ])
      .filter(({ frames }) => frames > 0)
      .reduce<End | null>((a, b) => (a === null || b.worth < a.worth ? b : a), null)
    if (worst === null) return null
    const frames = Math.min(excess, worst.frames)
    kept = kept.map((each) => (each === worst.window ? without(worst, frames, room) : each))
    excess -= frames
  }
  return kept.map(({ startMs, frames }) => ({ startMs, frames }))
}

function endAt(window: Window, isFirst: boolean, weigher: Weigher, room: FrameRoom): End {
  const { stretches, startMs, frames } = window
  const moment = isFirst ? stretches[0] : stretches.at(-1)
  const spare = frames - framesIn(LEAST_MS, room)
  if (moment === undefined || spare <= 0) return { window, isFirst, frames: 0, worth: 0 }
  const fromMs = Math.max(startMs, moment.atMs)
  const toMs = Math.min(startMs + msOfFrames(frames, room), endOf(moment))
  return {
    window,
    isFirst,
    frames: Math.min(spare, framesIn(toMs - fromMs, room)),
    worth: weigher.worth(moment.atMs, moment.lengthMs) - LONG * (frames / room.frameRate.value),
  }
}

function without({ window, isFirst }: End, frames: number, room: FrameRoom): Window {
  const startMs = window.startMs + (isFirst ? msOfFrames(frames, room) : 0)
  const left = window.frames - frames
  const endMs = startMs + msOfFrames(left, room)
  return {
    startMs,
    frames: left,
    stretches: window.stretches.filter(
      (each) => endOf(each) > startMs + 1 && each.atMs < endMs - 1,
    ),
  }
}
