import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { isNoRoom } from '#src/local/db/no-room.ts'
import type { MadeFileRow } from '#src/local/db/rows.ts'
import type { MadeBytes } from './made-bytes.ts'
import type { MakePieces, MakeProgress, PieceStand } from './make.ts'

/** Keeps the pieces of one device edit on this device ([Note: kept pieces]). */
export interface PieceKeeper extends MakePieces {
  /** Of which rung pieces are kept; null for none. */
  rung(): PieceStand['rung'] | null
  /** Whether a piece found no room. */
  isFull(): boolean
  /**
   * Whether the work, by what it says of itself, makes some of what was kept again, or has done so:
   * pieces fit no more after an update of the app or the browser. The row then says no more of what
   * is made again.
   */
  hasFallenBack(progress: MakeProgress): boolean
  /** What is being written is; nothing is from now on. */
  end(): Promise<void>
}

/**
 * Pieces that found no room, by id and name, for as long as the page stands: what is finished is
 * not lost when it goes on.
 */
export type Unwritten = Map<string, Blob>

export interface PieceKeeperDeps {
  readonly db: AccountDb
  readonly bytes: Pick<MadeBytes, 'openPiece' | 'writePiece'>
  readonly unwritten: Unwritten
  readonly log: Log
  readonly onFull: () => void
}

type Kept = NonNullable<MadeFileRow['kept']>

/** @param before what is kept from before */
export function createPieceKeeper(
  { db, bytes, unwritten, log, onFull }: PieceKeeperDeps,
  id: string,
  before: Kept | null,
): PieceKeeper {
  const now = { isFull: false, isOver: false, written: Promise.resolve() }
  const stand = createStand(before)
  const note = async (): Promise<void> => {
    await db.madeFiles.update(id, { kept: stand.kept() })
  }
  const keyOf = (name: string): string => `${id}/${name}`
  const write = async (name: string, piece: Blob, of: PieceStand): Promise<void> => {
    if (now.isOver) return
    try {
      await bytes.writePiece(id, name, piece)
      unwritten.delete(keyOf(name))
      if (of.progress === null) return
      stand.reach({ ...of.progress, rung: of.rung })
      await note()
    } catch (thrown) {
      // It is made again, should the edit end before its end.
      if (!isNoRoom(thrown))
        return log.warn('a piece of an edit could not be kept', describeBug(thrown))
      unwritten.set(keyOf(name), piece)
      now.isFull = true
      onFull()
    }
  }
  return {
    read: async (name) => unwritten.get(keyOf(name)) ?? (await bytes.openPiece(id, name)),
    keep: (name, piece, of) => {
      now.written = now.written.then(() => write(name, piece, of))
      return now.written
    },
    rung: () => stand.kept()?.rung ?? null,
    isFull: () => now.isFull,
    hasFallenBack: (progress) => {
      const warn = (thrown: unknown): void =>
        log.warn('an edit still says what it lost', describeBug(thrown))
      if (stand.fallTo(progress)) now.written = now.written.then(note).catch(warn)
      return stand.hasFallen()
    },
    end: async () => {
      now.isOver = true
      await now.written
    },
  }
}

/** How far an edit is kept, and whether the work fell behind that. */
function createStand(before: Kept | null) {
  // Where the newest piece began: what is said of it may come after it was kept.
  const now = { kept: before, least: before?.share ?? 0, hasFallen: false }
  return {
    kept: () => now.kept,
    hasFallen: () => now.hasFallen,
    reach: (kept: Kept): void => {
      now.least = now.kept?.share ?? 0
      now.kept = kept
    },
    /** Whether that is less than what was kept, so that less is. */
    fallTo: (progress: MakeProgress): boolean => {
      const { kept } = now
      if (kept === null || progress.share >= now.least - SAME) return false
      const left = finishedBefore(progress)
      now.kept = left === null ? null : { ...left, rung: kept.rung }
      now.least = progress.share
      now.hasFallen = true
      return true
    },
  }
}

/** Shares of the same place differ by what rounding leaves. */
const SAME = 1e-6

/** What is finished where the work begins a piece; null for nothing. */
function finishedBefore({ share, passage, passages }: MakeProgress): MakeProgress | null {
  if (passages < 2) return share === 0 ? null : { share, passage, passages }
  return passage < 2 ? null : { share, passage: passage - 1, passages }
}

export function forgetUnwritten(unwritten: Unwritten, id: string): void {
  for (const key of unwritten.keys()) if (key.startsWith(`${id}/`)) unwritten.delete(key)
}
