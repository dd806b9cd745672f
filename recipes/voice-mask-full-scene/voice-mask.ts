/**
 * Every sound becomes this much lower, pitch and formants alike: about four semitones, what
 * television does to hide a witness. The numbers divide evenly, so that picture and sound cannot
 * drift apart.
 */
const LOWER_RATE = 37_500
const RATE = 48_000

/**
 * Which part of the spectrum goes to bin `b`: up to a tenth away, here from above, there from
 * below. Playing the result faster brings the old pitch back, but not the voice, because its
 * formants stay displaced. The shape rises everywhere (slope 0.1 to 1.9), so no two parts of a
 * voice fall together.
 */
const BENT_BIN = 'b*(1+0.1*sin(9*log(max(b,1)*sr/(2*nb*300))))'

/**
 * The filters that hide who is speaking, the same for a finished edit and a preview. They keep
 * every sound within 20 ms of its place (measured: -4 to +13) and speech about as loud as it was.
 * Music is changed too. Only filters that ffmpeg.wasm has, so no rubberband.
 */
export const voiceMask = {
  chain: [
    // Holes are filled and the start is fixed first, because a changed rate would move them.
    `aresample=${RATE}:async=1:first_pts=0`,
    `aformat=sample_fmts=fltp:sample_rates=${RATE}:channel_layouts=stereo`,
    `asetrate=${LOWER_RATE}`,
    `aresample=${RATE}`,
    `atempo=${RATE / LOWER_RATE}`,
    `afftfilt=real='real(${BENT_BIN},ch)':imag='imag(${BENT_BIN},ch)':win_size=1024:overlap=0.75`,
    // Bent neighbours cancel out in part, which costs some 4 dB.
    'volume=1.6',
    'alimiter=limit=0.95:level=disabled',
  ].join(','),
  filters: ['aresample', 'aformat', 'asetrate', 'atempo', 'afftfilt', 'volume', 'alimiter'],
} as const
