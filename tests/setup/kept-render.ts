/** Renders and searches of tests, kept (./kept.ts) while plan, source and ffmpeg are the same. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import type { Moment, PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { kept, type Ingredient } from './kept.ts'
import { analyse, renderPlan, type RenderPlaces } from './render-plan.ts'

/** What every run of a plan goes through. */
const RUNNER: readonly Ingredient[] = [
  { code: 'server/src/media' },
  { code: 'recipes/print-args.ts' },
  { code: 'recipes/loudness.ts' },
  { code: 'tests/setup/render-plan.ts' },
]
/** What our own programs consist of beside it. */
const PROGRAMS: readonly Ingredient[] = [
  { code: 'recipes/voices' },
  { file: findPackageJSON('@shiguredo/rnnoise-wasm', import.meta.url) ?? '' },
]
const MASKS: readonly Ingredient[] = [{ code: 'recipes/face-cover' }]
/** What says how a source is measured and which moments it has. */
export const SEARCH: readonly Ingredient[] = [...RUNNER, { code: 'recipes' }, { code: 'checks' }]

/**
 * The folder with everything that a plan made, kept by its steps, its inputs, and what runs it.
 * @param by tells runners apart that may make different files
 * @param inputs paths of all that the plan reads
 * @param render runs the plan in an empty folder
 */
export async function keptPlan(
  { steps, files, masks }: RecipePlan,
  by: string,
  inputs: readonly string[],
  render: (folder: string) => Promise<void>,
): Promise<string> {
  const ingredients = [
    JSON.stringify([by, steps, files, masks]),
    ...inputs.map((file) => ({ file })),
    ...RUNNER,
    ...(steps.some(({ tool }) => tool !== undefined) ? PROGRAMS : []),
    ...(masks === undefined ? [] : MASKS),
  ]
  return await kept('gallery', ingredients, render)
}

/**
 * What `renderPlan` returns, rendered if it is not kept. Scratch files of the plan lie beside its
 * outputs.
 */
export async function renderKept(
  plan: RecipePlan,
  places: Omit<RenderPlaces, 'folder'>,
): Promise<Readonly<Record<string, string>>> {
  const { source, assets = {}, music = {} } = places
  const inputs = [source, ...Object.values(assets), ...Object.values(music)]
  const folder = await keptPlan(plan, 'ffmpeg', inputs, async (own) => {
    await renderPlan(plan, { ...places, folder: own })
  })
  return Object.fromEntries(plan.outputs.map(({ name }) => [name, join(folder, name)]))
}

/** The part of a plan that makes one output in one step, such as one still of a pack. */
export function onlyOutput(plan: RecipePlan, name: string): RecipePlan {
  const makesIt = ({ args }: PlanStep): boolean =>
    args.some((arg) => typeof arg === 'object' && arg.kind === 'output' && arg.name === name)
  return {
    ...plan,
    steps: plan.steps.filter(makesIt),
    outputs: plan.outputs.filter((output) => output.name === name),
  }
}

/** What `analyse` finds in a source, searched if it is not kept. */
export async function keptMoments(source: SourceProbe, path: string): Promise<readonly Moment[]> {
  const ingredients = [JSON.stringify(['moments', source]), { file: path }, ...SEARCH]
  return await keptJson<readonly Moment[]>(ingredients, async (scratch) =>
    analyse(source, { source: path, folder: scratch }),
  )
}

/** A value that tests measured by these ingredients, with a folder for scratch files. */
export async function keptJson<Value>(
  ingredients: readonly Ingredient[],
  measure: (scratch: string) => Promise<Value>,
): Promise<Value> {
  const name = 'value.json'
  const folder = await kept('gallery', ingredients, async (own) => {
    const scratch = join(own, 'scratch')
    await mkdir(scratch)
    await writeFile(join(own, name), JSON.stringify(await measure(scratch)))
  })
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as Value
}
