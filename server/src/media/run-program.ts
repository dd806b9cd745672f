import { copyFile, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { printArgs } from '#recipes/print-args.ts'
import type { Result } from '#recipes/result.ts'
import type { PlanProgram } from '#recipes/types.ts'
import { runConfined, type Tools } from '#server/media/confined.ts'
import {
  progressReader,
  resultOf,
  STALL_MS,
  type FfmpegFailure,
  type FfmpegRun,
} from '#server/media/run.ts'
import { projectRoot } from '#server/project-root.ts'

/** What a program of ours consists of: the first file starts it; by their names in its folder. */
type Files = Readonly<Record<string, string>>

const voiceParts = [
  'canonical-voice',
  'character',
  'fourier',
  'grains',
  'mask',
  'matrices',
  'pitch',
  'ring',
  'spectrum',
  'statistics',
]

const PROGRAMS: Readonly<Record<PlanProgram, Files>> = {
  'noise-filter': {
    'noise-filter.mts': join(projectRoot, 'server/src/media/tools/noise-filter.ts'),
    'rnnoise.mjs': join(
      dirname(findPackageJSON('@shiguredo/rnnoise-wasm', import.meta.url) ?? ''),
      'dist/rnnoise.js',
    ),
    ...Object.fromEntries(
      ['mains-hum', 'steady-noise'].map((name) => [
        `${name}.ts`,
        join(projectRoot, `server/src/media/tools/${name}.ts`),
      ]),
    ),
    'fourier.ts': join(projectRoot, 'recipes/voices/fourier.ts'),
  },
  'voice-filter': {
    'voice-filter.ts': join(projectRoot, 'server/src/media/tools/voice-filter.ts'),
    ...Object.fromEntries(
      voiceParts.map((name) => [`${name}.ts`, join(projectRoot, `recipes/voices/${name}.ts`)]),
    ),
  },
}

/**
 * Runs a program of ours on scratch files, under the confinement that ffmpeg has: it sees nothing
 * but its folder, into which its own code is copied because another user may not read the server's.
 * Rejects only when aborted.
 */
export async function runProgram(
  tools: Tools,
  program: PlanProgram,
  run: Omit<FfmpegRun, 'onOutput' | 'decibelsOf'> & { readonly secret?: string | undefined },
): Promise<Result<void, FfmpegFailure>> {
  const files = PROGRAMS[program]
  const [start = ''] = Object.keys(files)
  for (const [name, from] of Object.entries(files)) await copyFile(from, join(run.cwd, name))
  try {
    const end = await runConfined(tools, {
      tool: 'node',
      args: () => [...NODE_FLAGS, start, ...printArgs(run, run.pathOf)],
      limits: run,
      cwd: run.cwd,
      ...(run.secret === undefined ? {} : { input: run.secret }),
      signal: run.signal,
      timeoutMs: run.timeoutMs,
      stallMs: STALL_MS,
      onOutput: progressReader(run),
    })
    return resultOf(end, run.onProgress)
  } finally {
    for (const name of Object.keys(files)) await rm(join(run.cwd, name), { force: true })
  }
}

const NODE_FLAGS = ['--no-warnings', '--max-old-space-size=256']
