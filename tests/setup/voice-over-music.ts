import { copyFile } from 'node:fs/promises'
import { samplesOf } from '#tests/integration/recipes/voice.ts'
import { keptClip } from './kept.ts'

/** The music: one tone on the left, another one on the right. */
export const MUSIC_HZ = [300, 470] as const
const VOICE_HZ = 150
const VOICE = `0.3*sin(2*PI*${VOICE_HZ}*t)*gt(sin(6*t),0)`

/** Writes a video, made if it is not kept, with a voice in the middle and music at the sides. */
export async function makeVoiceOverMusic(
  path: string,
  seconds: number,
  music: readonly number[] = MUSIC_HZ,
): Promise<void> {
  const sides = music.map((hz) => `${VOICE}+0.2*sin(2*PI*${hz}*t)`).join('|')
  const clip = await keptClip('voice.mp4', [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=320x180:rate=25:duration=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${sides}':s=48000:d=${seconds}`,
    ...'-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -b:a 192k'.split(' '),
    '-movflags',
    '+faststart',
  ])
  await copyFile(clip, path)
}

/** How much louder the tones of the music are than the voice, in dB. */
export async function musicOverVoice(path: string): Promise<number> {
  const samples = await samplesOf(path)
  const [voice = 0, left = 0, right = 0] = [VOICE_HZ, ...MUSIC_HZ].map((hz) => {
    const parts = [Math.sin, Math.cos].map((wave) =>
      samples.reduce((sum, each, at) => sum + each * wave((2 * Math.PI * hz * at) / 16_000), 0),
    )
    return parts.reduce((sum, part) => sum + part ** 2, 0)
  })
  return 10 * Math.log10((left + right) / voice)
}
