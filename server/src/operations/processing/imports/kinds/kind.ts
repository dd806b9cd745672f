import type { components } from '#openapi/schema.gen.ts'
import type { Ctx, UserCtx } from '#server/context.ts'
import type { Outgoing } from '#server/net/outgoing.ts'
import type { ImportProvider } from '#server/operations/media/uploads/provider.ts'

type NewUpload = components['schemas']['NewUpload']

/** What a person asks to import, by the kind of it. */
export type AskedImports = {
  readonly [Provider in ImportProvider]: Extract<NewUpload, { provider: Provider }>
}

/** A question about a file. */
export interface FileQuestion {
  /** Where it is, as its kind wrote it down. */
  readonly place: string
  /** Whose import it is. */
  readonly userId: string
  readonly signal: AbortSignal
}

/** What a host says of a file. */
export interface FoundFile {
  /** Where it is from now on. */
  readonly place: string
  /** What people are told of where it comes from. */
  readonly host: string
  readonly name: string
  readonly sizeBytes: number
  /** ETag or time of this version; null where the host names none. */
  readonly validator: string | null
  /** Of its beginning (head.ts), where that was read. */
  readonly headSha256?: string
  /** Of all of it, hexadecimal digits, where the host says it. */
  readonly md5?: string | null
  /** The connected drive that gives it out. */
  readonly externalAuthId?: string
  /** The host gives out pieces of exactly this version. */
  readonly takesRanges: boolean
}

/** A way to the bytes of one file. */
export interface RemoteFile {
  /**
   * Asks for the file, or for the piece that the headers name; the caller reads or destroys the
   * answer. Throws `ImportFault`, `OutgoingError`, or the signal's reason.
   */
  open(asked: {
    readonly headers: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  }): ReturnType<Outgoing['open']>
  /**
   * Throws `ImportFault` when the file is another version now. Only where the answers with bytes do
   * not name the version that they are of; then it is asked before the first byte and after the
   * last one.
   */
  confirm?(version: { readonly validator: string | null }): Promise<void>
}

/**
 * What differs between places that files are imported from: links, drives, choosers.
 *
 * [Note: kinds of imports] A kind turns what a person chose into a *place*: text that says where
 * the file is, that only the kind reads, and that is stored encrypted, since who has it may have
 * the file. Everything after that is the same for all kinds: limits, reserved space, turns, parts,
 * waiting, progress and the check. A new kind is a file here and its line in `all.ts`.
 */
export interface ImportKind<Asked> {
  /** Whether this server can import so at all; the capabilities say it. */
  isOffered(ctx: Pick<Ctx, 'outgoing' | 'settings'>): boolean
  /** The place of what was asked for; asks no host. Refuses by a `Problem`. */
  placeOf(ctx: UserCtx, asked: Asked): string
  /** Asks the host of a file what it is. Refuses by a `Problem` that says what to do. */
  look(ctx: Ctx, question: FileQuestion): Promise<FoundFile>
  /** The way to the bytes, for one try. Throws as `RemoteFile.open`. */
  reach(ctx: Ctx, question: FileQuestion): Promise<RemoteFile>
  /** What a person can do once an import has failed, as a sentence. */
  readonly advice: string
}
