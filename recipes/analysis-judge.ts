import { clamp, meanOf, quantile } from './analysis-numbers.ts'
import type { PictureFacts } from './analysis-picture.ts'
import type { Frame } from './analysis-shots.ts'
import type { Moment } from './types.ts'

/** Brightness of video: 16 is black, 235 is white. */
const BLACK_BELOW = 30
const DARK_BELOW = 45
const WHITE_FROM = 225
/** Much that is flat, and edges that are hard rather than soft: letters on a ground. */
const TITLE = { flat: 0.75, hard: 0.012, share: 0.35 }
/** A shot is a title card from this share of pictures with letters on. */
const TITLE_SHARE = 0.4
/** Less than this share of the usual edges of the film is out of focus. */
const SOFT_BELOW = 0.2
/**
 * Shares of the blocks that move: a stretch is still below the first, and lively from the second
 * on.
 */
const MOVES_FROM = 0.006
const LIVELY_FROM = 0.02

/** Whether nothing is to be seen because it is dark. */
export function isBlack({ light, mean }: PictureFacts): boolean {
  return light < BLACK_BELOW + 6 && mean < BLACK_BELOW
}

function isTitle({ flat, hard, soft }: PictureFacts): boolean {
  return flat > TITLE.flat && hard > TITLE.hard && hard > TITLE.share * (hard + soft)
}

/** What a picture is worth among all of the film. */
export interface Judge {
  score(frame: Frame): number
  /** 0 to 1: how many edges it has, of what is usual in the film. */
  sharpness(frame: Frame): number
}

/** @param frames all that were looked at: what is usual among them is the measure of each */
export function judgeOf(frames: readonly Frame[]): Judge {
  const shown = frames.filter((frame) => !isBlack(frame) && !isTitle(frame))
  const usualEdges = quantile(shown.map(edges), 0.75)
  const usualMotion = Math.max(
    0.04,
    quantile(
      shown.map(({ moved }) => moved),
      0.6,
    ),
  )
  const levels = shown.flatMap(({ loudness }) => (loudness === null ? [] : [loudness]))
  const [quiet, loud] = [quantile(levels, 0.1), quantile(levels, 0.9)]
  const sharpness = (frame: Frame): number =>
    usualEdges === 0 ? 0.5 : clamp(edges(frame) / usualEdges)
  return {
    sharpness,
    score: (frame) => {
      const parts = [
        { share: 0.45, value: clamp(frame.moved / usualMotion) },
        { share: 0.2, value: sharpness(frame) },
        { share: 0.15, value: beautyOf(frame) },
        {
          share: 0.1,
          value:
            frame.loudness === null || loud <= quiet
              ? null
              : clamp((frame.loudness - quiet) / (loud - quiet)),
        },
        { share: 0.1, value: frame.speech },
      ].flatMap(({ share, value }) => (value === null ? [] : [{ share, value }]))
      const sum = parts.reduce((total, { share }) => total + share, 0)
      return clamp(parts.reduce((total, { share, value }) => total + share * value, 0) / sum)
    },
  }
}

/** Share of the pixels at edges. */
export function edges({ soft, hard }: PictureFacts): number {
  return soft + hard
}

/** Colourful, and neither dark nor pale. */
function beautyOf({ mean, colour }: PictureFacts): number {
  return 0.6 * (1 - Math.min(1, Math.abs(mean - 120) / 105)) + 0.4 * Math.min(1, colour / 30)
}

/** Whether the pictures of a shot are a title card. */
export function isTitleCard(frames: readonly Frame[]): boolean {
  return frames.filter(isTitle).length >= TITLE_SHARE * frames.length
}

/** What the pictures of a stretch show; whether it is a title card, its shot says. */
export function whatShows(frames: readonly Frame[], judge: Judge): Moment['shows'] {
  if (frames.some((frame) => isBlack(frame) || frame.dark >= WHITE_FROM)) return 'black'
  if (meanOf(frames.map(({ mean }) => mean)) < DARK_BELOW) return 'dark'
  if (meanOf(frames.map(judge.sharpness)) < SOFT_BELOW) return 'soft'
  // The first picture of a run or after a cut has no motion of its own.
  const moved = meanOf(frames.map(({ moved }) => moved))
  if (moved >= LIVELY_FROM) return 'lively'
  return moved >= MOVES_FROM ? 'calm' : 'still'
}
