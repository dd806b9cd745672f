import type { MakePieces, MakeProgress, OwnRung } from '#src/local/made/make.ts'

/** The pieces of one way to make an edit ([Note: kept pieces] in `src/local/made/make.ts`). */
export interface KeptPieces {
  read(name: string): Promise<Blob | null>
  keep(name: string, piece: Blob, progress: MakeProgress | null): Promise<void>
  /** The same without what was kept before: for pieces that do not fit together. */
  afresh(): KeptPieces
}

/**
 * @param madeOf all that a piece depends on besides the code and the browser; as JSON it differs
 *   where any of it does
 */
export async function keptPieces(
  pieces: MakePieces,
  rung: OwnRung,
  madeOf: unknown,
): Promise<KeptPieces> {
  // The address of this code has a hash of it, and of all that it imports.
  const all = JSON.stringify([import.meta.url, navigator.userAgent, rung, madeOf])
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(all))
  const key = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  const nameOf = (name: string): string => `${key.join('')}.${name}`
  const keep: KeptPieces['keep'] = (name, piece, progress) =>
    pieces.keep(nameOf(name), piece, { rung, progress })
  const afresh = (): KeptPieces => ({ read: async () => null, keep, afresh })
  return { read: (name) => pieces.read(nameOf(name)), keep, afresh }
}
