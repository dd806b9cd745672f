import { useState } from 'react'
import {
  moved,
  surprised,
  swapped,
  withBan,
  withLock,
  withoutBan,
  withPlace,
  withPoints,
} from '#recipes/moment-board.ts'
import type { MomentBoard } from '#recipes/moment-candidates.ts'
import {
  checkChoice,
  lengthOf,
  PICTURE_MS,
  placeName,
  placeWords,
  pointWords,
  type ChosenMoment,
  type MomentChoice,
} from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'

/** The choice of moments as it stands on the board, and what can be done with it. */
export interface MomentDraft {
  readonly choice: MomentChoice
  /** The place in the edit of the moment that the buttons act on. */
  readonly selected: number
  readonly one: ChosenMoment | undefined
  /** Why the moments cannot be delivered as they stand; null when they can. */
  readonly problem: string | null
  /** What the last press did, for those who do not see it. */
  readonly said: string
  /** Nothing differs from what the edit shows by itself. */
  readonly isUntouched: boolean
  /** Something differs from what the board opened with. */
  readonly hasChanged: boolean
  select(index: number): void
  lock(isLocked: boolean): void
  /** Shows the moment of one place at another. */
  moveTo(from: number, to: number): void
  swap(): void
  ban(): void
  unban(stretch: Stretch): void
  usePlace(placeMs: number): void
  setPoints(points: Stretch): void
  addPoints(points: Stretch): void
  surprise(): void
  startOver(): void
}

const NOTHING_ELSE =
  'Nothing else of this video is free. Let a banned moment be shown again, or unlock one.'

const FOUND_SAID = 'These moments were found in your video.'

/** A board, and what it begins with where nothing was chosen before. */
export interface BegunBoard {
  readonly board: MomentBoard
  readonly begin: MomentChoice
}

/**
 * Keeps the choice of a board while it is open; null while there is no board yet. Where another
 * beginning comes, a choice that nothing was changed of becomes that.
 * @param initial what was chosen before; null for nothing
 * @param seed a new number for each surprise
 */
export function useMomentChoice(
  begun: BegunBoard | null,
  initial: MomentChoice | null,
  seed: () => number,
): MomentDraft | null {
  // Null: as the board begins.
  const [chosen, setChosen] = useState(initial)
  const [at, setAt] = useState(0)
  const [said, setSaid] = useState('')
  const [from, setFrom] = useState(begun?.begin ?? null)
  if (begun === null) return null
  const { board, begin } = begun
  if (from === null || !isSame(from, begin)) {
    setFrom(begin)
    if (from !== null && isSame(chosen ?? from, from)) {
      setChosen(null)
      setSaid(FOUND_SAID)
    }
  }
  const choice = chosen ?? begin
  const selected = Math.min(at, choice.shown.length - 1)
  const fits = checkChoice(choice, board.rule, board.sourceDurationMs)
  const put: Put = (next, words, index = selected) => {
    if (next !== null) {
      setChosen(next)
      setAt(index)
    }
    setSaid(next === null ? NOTHING_ELSE : words)
  }
  return {
    ...movesOf(board, choice, selected, put),
    ...picksOf(board, choice, selected, put),
    choice,
    selected,
    one: choice.shown[selected],
    problem: fits.ok ? null : fits.error.message,
    said,
    isUntouched: isSame(choice, begin),
    hasChanged: !isSame(choice, initial ?? begin),
    select: setAt,
    surprise: () => {
      const next = surprised(board, choice, seed())
      put(next === choice ? null : next, 'All moments that are not locked are other ones now.')
    },
    startOver: () => put(begin, 'The moments are again those that Onecut chose.', 0),
  }
}

function isSame(a: MomentChoice, b: MomentChoice): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Takes a new choice, says what was done, selects a moment; null where nothing else is free. */
type Put = (next: MomentChoice | null, words: string, index?: number) => void

function wordsOfPlace({ rule }: MomentBoard, index: number): string {
  return rule.slots === null
    ? `It is number ${index + 1} now`
    : `It is ${placeWords(rule, index)} now`
}

/** What changes no stretch, or only its length. */
function movesOf(
  board: MomentBoard,
  choice: MomentChoice,
  selected: number,
  put: Put,
): Pick<MomentDraft, 'lock' | 'moveTo' | 'unban'> {
  return {
    lock: (isLocked) =>
      put(
        withLock(choice, selected, isLocked),
        `${placeName(board.rule, selected)} is ${isLocked ? 'locked' : 'unlocked'}.`,
      ),
    moveTo: (from, to) => {
      const next = moved(board, choice, from, to)
      put(next === choice ? null : next, `${wordsOfPlace(board, to)}, and locked.`, to)
    },
    unban: (stretch) => put(withoutBan(choice, stretch), 'It can be proposed again.'),
  }
}

/** What shows another stretch. */
function picksOf(
  board: MomentBoard,
  choice: MomentChoice,
  selected: number,
  put: Put,
): Pick<MomentDraft, 'swap' | 'ban' | 'usePlace' | 'setPoints' | 'addPoints'> {
  const nowShows = (next: MomentChoice | null): string => {
    const one = next?.shown[selected]
    if (one === undefined) return ''
    const verb = lengthOf(one) <= PICTURE_MS ? 'is' : 'begins'
    return `${placeName(board.rule, selected)} now ${verb} at ${pointWords(one.startMs)}.`
  }
  const points = (index: number | null, own: Stretch): void => {
    const next = withPoints(board, choice, index, own)
    const place = next.shown.findIndex(
      ({ startMs, endMs, isLocked }) => isLocked && startMs === own.startMs && endMs === own.endMs,
    )
    put(next, `Your moment is number ${place + 1} of ${next.shown.length}.`, place)
  }
  return {
    swap: () => {
      const next = swapped(board, choice, selected)
      put(next, nowShows(next))
    },
    ban: () => {
      const next = withBan(board, choice, selected)
      put(next, `It will not be shown. ${nowShows(next)}`)
    },
    usePlace: (placeMs) => {
      const next = withPlace(board, choice, selected, placeMs)
      put(next, `${nowShows(next)} It is locked.`)
    },
    setPoints: (own) => points(selected, own),
    addPoints: (own) => points(null, own),
  }
}
