import type { Tools } from './confined.ts'

/** A usable ffmpeg with what it can do. Resolved once at the start by media/resolve.ts. */
export interface Ffmpeg extends Tools {
  readonly version: string
  readonly filters: ReadonlySet<string>
  readonly encoders: ReadonlySet<string>
  /** Whether our own programs start under its confinement; else edits that need one are off. */
  readonly canRunNode: boolean
}
