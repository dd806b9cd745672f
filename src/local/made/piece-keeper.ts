import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { MadeBytes } from './made-bytes.ts'
import type { MakePieces, PieceStand } from './make.ts'

/** Keeps the pieces of one device edit on this device ([Note: kept pieces]). */
export interface PieceKeeper extends MakePieces {
  /** Of which rung pieces are kept; null for none. */
  rung(): PieceStand['rung'] | null
  /** Whether a piece found no room. */
  isFull(): boolean
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

export function createPieceKeeper(
  { db, bytes, unwritten, log, onFull }: PieceKeeperDeps,
  id: string,
  kept: PieceStand['rung'] | null,
): PieceKeeper {
  const now = { rung: kept, isFull: false, isOver: false, written: Promise.resolve() }
  const keyOf = (name: string): string => `${id}/${name}`
  const write = async (name: string, piece: Blob, stand: PieceStand): Promise<void> => {
    if (now.isOver) return
    try {
      await bytes.writePiece(id, name, piece)
      unwritten.delete(keyOf(name))
      if (stand.progress === null) return
      now.rung = stand.rung
      await db.madeFiles.update(id, { kept: { ...stand.progress, rung: stand.rung } })
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
    keep: (name, piece, stand) => {
      now.written = now.written.then(() => write(name, piece, stand))
      return now.written
    },
    rung: () => now.rung,
    isFull: () => now.isFull,
    end: async () => {
      now.isOver = true
      await now.written
    },
  }
}

export function forgetUnwritten(unwritten: Unwritten, id: string): void {
  for (const key of unwritten.keys()) if (key.startsWith(`${id}/`)) unwritten.delete(key)
}

/** Whether the device refused something because it is full. */
export function isNoRoom(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError'
}
