/** A usable ffmpeg with what it can do. Resolved once at the start by media/resolve.ts. */
export interface Ffmpeg {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly version: string
  readonly filters: ReadonlySet<string>
  readonly encoders: ReadonlySet<string>
}
