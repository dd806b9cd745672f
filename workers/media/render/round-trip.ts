import { startEncoder } from './encode.ts'

/** Encodes pictures, decodes what comes out, and shows it. */
export interface RoundTrip {
  /** Takes the picture and closes it. */
  add(frame: VideoFrame, isKey: boolean): Promise<void>
  /** All that was added has come back and was looked at. */
  finish(): Promise<void>
  close(): void
}

/** @param look is shown each picture in order, one at a time; the picture is closed after that */
export function startRoundTrip(
  config: VideoEncoderConfig,
  look: (frame: VideoFrame) => Promise<void> | void,
  signal: AbortSignal,
): RoundTrip {
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  let looked = Promise.resolve()
  const decoder = new VideoDecoder({
    output: (frame) => {
      looked = looked.then(async () => {
        try {
          await look(frame)
        } finally {
          frame.close()
        }
      })
      looked.catch(failed.reject)
    },
    error: failed.reject,
  })
  const encoder = startEncoder(
    config,
    (chunk, meta) => {
      if (decoder.state === 'unconfigured' && meta?.decoderConfig !== undefined)
        decoder.configure(meta.decoderConfig)
      // One that gave up has said so.
      if (decoder.state === 'configured') decoder.decode(chunk)
    },
    signal,
  )
  return {
    add: async (frame, isKey) => await Promise.race([encoder.add(frame, isKey), failed.promise]),
    finish: async () => {
      await Promise.race([encoder.finish().then(() => decoder.flush()), failed.promise])
      await looked
    },
    close: () => {
      encoder.close()
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}
