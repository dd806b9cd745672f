import { definePreset, noOptions } from '#recipes/define-preset.ts'
import { evenLoudness, steadyFrameRate, withoutEncoder } from '#recipes/encoding.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { steadyTiming } from '#recipes/picture-timing.ts'
import { previewSize, previewVideo } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { ok } from '#recipes/result.ts'
import { noiseSeed } from '#recipes/secret.ts'
import { segmentIn } from '#recipes/segments.ts'
import type {
  PlanContext,
  PreviewWindow,
  RecipePlan,
  Segment,
  SourceProbe,
} from '#recipes/types.ts'
import { planScene } from '#recipes/whole-scene.ts'
import { filteredSound, levelledSound, type WholeSound } from '#recipes/whole-sound.ts'
import { maskedPart, maskedSound } from '#recipes/voice-mask.ts'

/**
 * All that is left of a picture: so few points that even a face that fills it has fewer than people
 * or detectors know a face by. The number does not follow the size of the source, because a close
 * face in 4K has more points than a whole person in 480p.
 */
const LONG_SIDE_POINTS = 36
const SHORT_SIDE_POINTS = 20
/** In points. What it takes from detail of two points lies below a step of 8 bits. */
const BLUR = 1.2
/** In steps of 255: hides what sharpening could bring back of the blur. */
const NOISE = 2

/** Bits a second; the picture rarely needs as many, because it has no detail. */
const MOST_FOR_PICTURE = 240_000
/** x264 takes about as many for pictures that do not change at all. */
const LEAST_FOR_PICTURE = 4_000
const MOST_FOR_SOUND = 48_000
const LEAST_FOR_SOUND = 6_000
/** Bits of the index: of each picture, of the whole file, and of a second for all else. */
const INDEX = { ofPicture: 96, ofFile: 16_000, ofSecond: 2_000 }
/** Of the size of the source. */
const LARGEST_SHARE = 0.3
/** Of the rate for the picture: what may stand in advance, so that its beginning is not poor. */
const BUFFER_S = 2
/** From one key frame to the next, at most. */
const KEY_EVERY_MS = 4000

/** The sound has nothing above half of this, where the vowels and consonants of speech are. */
const SOUND_RATE = 800
/**
 * The encoder spends nothing on what is higher: with so few bits it put noise there instead, which
 * made the sound louder by up to 1 dB.
 */
const SOUND_CUTOFF_HZ = 500

/** The whole video with a picture and a sound that hide who is there and what is said. */
export const blurVideoAndAudio = definePreset({
  slug: 'blur-video-and-audio',
  name: 'Blurred Video and Audio',
  description:
    'The whole video with picture and sound softened, to show what waits behind the paywall without giving it away.',
  tab: 'promotional',
  badge: 'new',
  price: perMinute(15),
  needs: { sound: false, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  segmentStepMs: () => KEY_EVERY_MS,
  plan: (source, _options, context) => ok(planBlur(source, context)),
  preview: (source, _options, window, context) => ok(planBlur(source, context, window)),
})

/** The whole video, or a part of it as a preview shows it. */
function planBlur(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters' | 'secret' | 'divided'>,
  part: PreviewWindow | null = null,
): RecipePlan {
  const size = part === null ? fitInside(source, 1280, 720) : previewSize(source)
  const points = fitInside(source, LONG_SIDE_POINTS, SHORT_SIDE_POINTS)
  const segment = segmentIn(context)
  const rates = ratesOf(source, segment)
  const standard = toStandardPicture(source, points, context)
  const timing = steadyTiming(source, part, undefined, segment)
  const picture = [
    `${timing.chain}${standard.chain}`,
    `gblur=sigma=${BLUR}`,
    `noise=alls=${NOISE}:allf=t+u:all_seed=${noiseSeed(context.secret, segment)}`,
    `scale=${size.width}:${size.height}:flags=bicubic`,
    `setsar=1${timing.after}`,
  ]
  return planScene(source, context, {
    picture: {
      args: [
        '-map',
        '0:V:0',
        '-vf',
        picture.join(','),
        ...(part === null ? softVideo(rates) : previewVideo),
      ],
      filters: [...timing.filters, ...standard.filters, 'gblur', 'noise'],
      encoders: ['libx264'],
      joints: timing.joints,
    },
    sound: source.hasAudio ? blurredSound(source, context.secret, rates, part) : null,
    part,
    name: 'blurred',
    suffix: 'blurred',
    buttonText: 'Download blurred video',
  })
}

/** Bits a second for each. */
interface Rates {
  readonly picture: number
  readonly sound: number
}

/**
 * So that both together keep the share of the source's size; a small source gets less of both. Each
 * segment begins with what may stand in advance.
 */
function ratesOf(source: SourceProbe, segment: Segment | null): Rates {
  const { bitRate, durationMs, hasAudio } = source
  const seconds = durationMs / 1000
  const index =
    steadyFrameRate(source).value * INDEX.ofPicture + INDEX.ofFile / seconds + INDEX.ofSecond
  const all = bitRate === undefined ? Infinity : bitRate * LARGEST_SHARE - index
  const sound = Math.max(LEAST_FOR_SOUND, Math.min(MOST_FOR_SOUND, all / 4))
  const encodedS =
    segment === null ? seconds : ((segment.toMs ?? durationMs) - segment.fromMs) / 1000
  const picture = ((all - (hasAudio ? sound : 0)) * encodedS) / (encodedS + BUFFER_S)
  return {
    picture: Math.round(Math.max(LEAST_FOR_PICTURE, Math.min(MOST_FOR_PICTURE, picture))),
    sound: Math.round(sound),
  }
}

function softVideo({ picture }: Rates): readonly string[] {
  return [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '28',
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-maxrate',
    String(picture),
    '-bufsize',
    String(picture * BUFFER_S),
    '-force_key_frames',
    `expr:gte(t,n_forced*${KEY_EVERY_MS / 1000})`,
    ...withoutEncoder,
  ]
}

/** Few bits go to the few frequencies that are left. */
function softAudio({ sound }: Rates): readonly string[] {
  const rate = sound < MOST_FOR_SOUND ? '16000' : '48000'
  const codec = ['-c:a', 'aac', '-b:a', String(sound), '-cutoff', String(SOUND_CUTOFF_HZ)]
  return [...codec, '-ar', rate, '-ac', '2']
}

/**
 * The masked voice of the upload, then everything above 400 Hz taken out: what a second edit of the
 * same upload shows of the voice is masked by the same transform. A preview has a few seconds only,
 * so it levels as it goes.
 */
function blurredSound(
  source: SourceProbe,
  secret: string,
  rates: Rates,
  part: PreviewWindow | null,
): WholeSound {
  const dull = { chain: `aresample=${SOUND_RATE},aresample=48000`, filters: ['aresample'] }
  if (part === null) {
    return levelledSound(source, maskedSound(source, secret), dull, softAudio(rates))
  }
  const filter = { chain: `${dull.chain},${evenLoudness}`, filters: [...dull.filters, 'loudnorm'] }
  return { ...filteredSound(filter, softAudio(rates)), made: maskedPart(source, secret, part) }
}
