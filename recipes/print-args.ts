import { seconds } from './naming.ts'
import type { PlanArg, PlanGain, PlanInput, PlanPlace, PlanRun, SourceProbe } from './types.ts'

/**
 * Where the runner keeps the files of one attempt. Paths should be absolute, so that none is taken
 * for an option or a protocol.
 */
export type PathOf = (place: PlanPlace) => string

/**
 * The strings to hand to ffmpeg, as an argument array and never through a shell: the only place
 * that writes `-ss`, `-t` and `-i`. Paths inside filter graphs come out escaped.
 * @param guard flags to put right before an input's `-i`, because ffmpeg applies input flags
 *   (`-protocol_whitelist file,pipe`) only to the next input
 * @param decibelsOf what was measured; a sound that was not measured stays as loud as it is
 */
export function printArgs(
  { inputs, args }: PlanRun,
  pathOf: PathOf,
  guard: (place: PlanPlace) => readonly string[] = () => [],
  decibelsOf: (gain: PlanGain) => number = () => 0,
): string[] {
  return [
    ...inputs.flatMap(({ from, seekMs = 0, leadMs = 0, durationMs, flags = [] }) => [
      ...flags,
      ...seek(seekMs, leadMs),
      // What is read before the place gets times below zero, which ffmpeg leaves out.
      ...(leadMs === 0 ? [] : ['-itsoffset', `-${seconds(leadMs)}`]),
      ...(durationMs === undefined ? [] : ['-t', seconds(durationMs)]),
      ...guard(from),
      '-i',
      pathOf(from),
    ]),
    ...args.map((arg) => printArg(arg, inputs, pathOf, decibelsOf)),
  ]
}

/**
 * No `-ss` where reading begins at the start: told to seek there, ffmpeg 5 begins in the middle of
 * an AVI file whose pictures are not in the order in which they are shown. With a lead `-ss` is
 * needed, because ffmpeg leaves out times below zero only where it was told to seek.
 */
function seek(seekMs: number, leadMs: number): readonly string[] {
  return seekMs === 0 ? [] : ['-ss', seconds(seekMs - leadMs)]
}

function printArg(
  arg: PlanArg,
  inputs: PlanRun['inputs'],
  pathOf: PathOf,
  decibelsOf: (gain: PlanGain) => number,
): string {
  if (typeof arg === 'string') return onTracks(arg, inputs)
  if (arg.kind !== 'filter') return pathOf(arg)
  return arg.parts
    .map((part) => {
      if (typeof part === 'string') return onTracks(part, inputs)
      return part.kind === 'gain'
        ? `${decibelsOf(part).toFixed(2)}dB`
        : escapeFilterValue(pathOf(part))
    })
    .join('')
}

/** What an input of this file needs, so that the arguments are of its tracks. */
export function onItsTracks({ tracks }: Pick<SourceProbe, 'tracks'>): Pick<PlanInput, 'tracks'> {
  return tracks === undefined ? {} : { tracks }
}

/** The run on the tracks of the source that it reads. */
export function onTracksOf<R extends PlanRun>(source: SourceProbe, run: R): R {
  const inputs = run.inputs.map((input) =>
    input.from.kind === 'source' ? { ...input, ...onItsTracks(source) } : input,
  )
  return { ...run, inputs }
}

/** `0:V:0` where a stream is mapped, `[0:V:0]` where a graph begins. */
const STREAM = /(^|\[)(\d+):([Va]):0(?=\?|\]|$)/g

/** The argument with the tracks that its inputs say, so that no recipe has to know of them. */
function onTracks(text: string, inputs: PlanRun['inputs']): string {
  return text.replace(STREAM, (first, before: string, input: string, kind: string) => {
    const taken = inputs[Number(input)]?.tracks
    return taken === undefined
      ? first
      : `${before}${input}:${kind}:${kind === 'V' ? taken.picture : taken.sound}`
  })
}

/**
 * Escapes a text for use as the value of an option inside a filter graph: once for the option, once
 * for the graph (ffmpeg-filters(1), "Notes on filtergraph escaping", read 2026-11-21).
 */
export function escapeFilterValue(value: string): string {
  const asOption = value.replace(/[\\':]/g, '\\$&')
  return asOption.replace(/[\\'[\],;]/g, '\\$&')
}
