import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { drawScene, SCENES } from '#scripts/pictures/landscape.ts'

export interface LandscapeSize {
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Frames a second. */
  readonly rate: number
  readonly secondsOfScene: number
  /** How many times as fast the camera goes by a scene; left out = as slowly as it is drawn. */
  readonly travelOf?: (name: string) => number
}

/** Writes an MP4 of all scenes after one another, with a quiet chord below them. */
export async function drawLandscapes(
  ffmpeg: string,
  path: string,
  { width, height, rate, secondsOfScene, travelOf = () => 1 }: LandscapeSize,
): Promise<void> {
  const input = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${rate} -i pipe:0`
  const sound = 'aevalsrc=0.05*sin(220*2*PI*t)+0.04*sin(277*2*PI*t):s=48000:c=stereo'
  const output = `-shortest -c:v libx264 -crf 12 -preset fast -g ${rate} -pix_fmt yuv420p -c:a aac`
  const encoder = spawn(
    ffmpeg,
    [
      '-v',
      'error',
      '-y',
      ...input.split(' '),
      '-f',
      'lavfi',
      '-i',
      sound,
      ...output.split(' '),
      path,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const ended = once(encoder, 'exit')
  for (const scene of SCENES) {
    const travel = travelOf(scene.name)
    const ridges = scene.ridges.map((each) => ({ ...each, drift: each.drift * travel }))
    for (let frame = 0; frame < secondsOfScene * rate; frame += 1)
      if (!encoder.stdin.write(drawScene({ ...scene, ridges }, frame / rate, width, height)))
        await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  await ended
}
