import type { FfmpegCore } from './core.ts'
import type { RenderStep } from './ffmpeg-messages.ts'

const SAMPLES_PER_MS = 16

/**
 * Masks the voices of one file into another by the code of the server, which is loaded when it is
 * needed. Both files are as `voice-filter` has them: 16-bit samples, then 32-bit floating point
 * ones.
 */
export async function maskVoices(
  { FS }: FfmpegCore,
  { from, to, secret }: Extract<RenderStep, { readonly tool: 'voice-filter' }>,
  onOutputMs: (outputMs: number) => void,
): Promise<void> {
  const { maskVoice } = await import('#recipes/voices/mask.ts')
  const heard = new Int16Array(Uint8Array.from(FS.readFile(from)).buffer)
  const masked = new Float32Array(heard.length)
  let written = 0
  const read = (at: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, index) => (heard[at + index] ?? 0) / 32_768)
  await maskVoice({ length: heard.length, read }, secret, (samples) => {
    masked.set(samples, written)
    written += samples.length
    onOutputMs(written / SAMPLES_PER_MS)
  })
  FS.writeFile(to, new Uint8Array(masked.buffer))
}
