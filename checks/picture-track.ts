import type { DolbyVision } from './dolby-vision.ts'
import type { Immersive } from './immersive.ts'

/** What a file says of one video track beside its size and codec. */
export interface PictureTrack {
  /** As the container numbers its tracks. */
  readonly id: number
  readonly dolbyVision: DolbyVision | null
  /** Null where its picture is flat. */
  readonly immersive: Immersive | null
}
