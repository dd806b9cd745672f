import { copyFile, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { printArgs } from '#recipes/print-args.ts'
import type { Result } from '#recipes/result.ts'
import { runConfined, type Tools } from '#server/media/confined.ts'
import {
  progressReader,
  resultOf,
  STALL_MS,
  type FfmpegFailure,
  type FfmpegRun,
} from '#server/media/run.ts'
import { projectRoot } from '#server/project-root.ts'

/** The program and the library it loads, by their names in the folder of the run. */
const PROGRAM = 'noise-filter.mts'
const FILES: Readonly<Record<string, string>> = {
  [PROGRAM]: join(projectRoot, 'server/src/media/tools/noise-filter.ts'),
  'rnnoise.mjs': join(
    dirname(findPackageJSON('@shiguredo/rnnoise-wasm', import.meta.url) ?? ''),
    'dist/rnnoise.js',
  ),
}

/**
 * Runs our noise filter on scratch files, under the confinement that ffmpeg has: it sees nothing
 * but its folder, into which its own code is copied because another user may not read the server's.
 * Rejects only when aborted.
 */
export async function runNoiseFilter(
  tools: Tools,
  run: Omit<FfmpegRun, 'onOutput' | 'decibelsOf'>,
): Promise<Result<void, FfmpegFailure>> {
  for (const [name, from] of Object.entries(FILES)) await copyFile(from, join(run.cwd, name))
  try {
    const end = await runConfined(tools, {
      tool: 'node',
      args: () => [...NODE_FLAGS, PROGRAM, ...printArgs(run, run.pathOf)],
      limits: run,
      cwd: run.cwd,
      signal: run.signal,
      timeoutMs: run.timeoutMs,
      stallMs: STALL_MS,
      onOutput: progressReader(run),
    })
    return resultOf(end, run.onProgress)
  } finally {
    for (const name of Object.keys(FILES)) await rm(join(run.cwd, name), { force: true })
  }
}

/**
 * Address space is limited: WebAssembly keeps ten gigabytes of it free for each of its memories,
 * unless it checks its bounds by itself.
 */
const NODE_FLAGS = ['--no-warnings', '--disable-wasm-trap-handler', '--max-old-space-size=256']
