import type { PlanArg, PlanPlace } from './types.ts'

/**
 * Where the runner keeps the files of one attempt. Paths should be absolute, so that none is taken
 * for an option or a protocol.
 */
export type PathOf = (place: PlanPlace) => string

/**
 * The strings to hand to ffmpeg, as an argument array and never through a shell. Paths inside
 * filter graphs come out escaped.
 * @param inputFlags put before every `-i`, because ffmpeg applies input flags (`-protocol_whitelist
 * file,pipe`) only
 *   to the next input and a plan may have many
 */
export function resolveArgs(
  args: readonly PlanArg[],
  pathOf: PathOf,
  inputFlags: readonly string[] = [],
): string[] {
  return args.flatMap((arg) => {
    if (arg === '-i') return [...inputFlags, arg]
    if (typeof arg === 'string') return [arg]
    if (arg.kind !== 'filter') return [pathOf(arg)]
    return [
      arg.parts
        .map((part) => (typeof part === 'string' ? part : escapeFilterValue(pathOf(part))))
        .join(''),
    ]
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
