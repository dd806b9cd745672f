import type { Allowance } from './allowance.ts'
import type { ToolRunner } from './confined.ts'
import type { Confinement } from './confinement/methods.ts'
import type { Sight } from './confinement/sight.ts'

/** A usable ffmpeg with what it can do. Resolved once at the start by media/resolve.ts. */
export interface Ffmpeg {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly version: string
  readonly filters: ReadonlySet<string>
  readonly encoders: ReadonlySet<string>
  /** Whether our own programs start under its confinement; else edits that need one are off. */
  readonly canRunNode: boolean
  /** What it may see and use when it reads files of users. */
  readonly confinement: Confinement
  /** What it needs to run, where it has a file system of its own. */
  readonly shared: Sight['shared']
  /** What all its runs may use together; left out = each run has its own limits alone. */
  readonly allowance?: Allowance
  /** Left out = this machine runs it; tests keep what equal runs made. */
  readonly runner?: ToolRunner
}
