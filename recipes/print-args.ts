import { seconds } from './naming.ts'
import type { PlanArg, PlanGain, PlanPlace, PlanRun } from './types.ts'

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
    ...args.map((arg) => printArg(arg, pathOf, decibelsOf)),
  ]
}

/**
 * Nothing where reading begins at the start: told to seek there, ffmpeg 5 begins in the middle of
 * an AVI file whose pictures are not in the order in which they are shown. After a lead it is
 * needed, because ffmpeg leaves out times below zero only where it was told to seek.
 */
function seek(seekMs: number, leadMs: number): readonly string[] {
  return seekMs === 0 ? [] : ['-ss', seconds(seekMs - leadMs)]
}

function printArg(arg: PlanArg, pathOf: PathOf, decibelsOf: (gain: PlanGain) => number): string {
  if (typeof arg === 'string') return arg
  if (arg.kind !== 'filter') return pathOf(arg)
  return arg.parts
    .map((part) => {
      if (typeof part === 'string') return part
      return part.kind === 'gain'
        ? `${decibelsOf(part).toFixed(2)}dB`
        : escapeFilterValue(pathOf(part))
    })
    .join('')
}

/**
 * Escapes a text for use as the value of an option inside a filter graph: once for the option, once
 * for the graph (ffmpeg-filters(1), "Notes on filtergraph escaping", read 2026-11-21).
 */
export function escapeFilterValue(value: string): string {
  const asOption = value.replace(/[\\':]/g, '\\$&')
  return asOption.replace(/[\\'[\],;]/g, '\\$&')
}
