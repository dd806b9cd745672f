import type { RecipePlan } from './types.ts'

/** What tells files apart: the job by its id, and the edit by its place in it. */
export interface PlainNaming {
  /** A UUID. */
  readonly jobId: string
  /** From 1 on. */
  readonly edit: number
}

/**
 * The plan with names of files that say neither which video they are of nor which edit they are:
 * `clip-0412-3.mp4`, and `clip-0412-3-2.jpg` where an edit has several. Files of one job have names
 * that differ, and sort as its edits do. Members of archives have these names too.
 */
export function withPlainNames(plan: RecipePlan, naming: PlainNaming): RecipePlan {
  return { ...plan, outputs: plainlyNamed(plan.outputs, naming) }
}

/** The same for the files of one edit that are made already. */
export function plainlyNamed<T extends { readonly fileName: string }>(
  files: readonly T[],
  { jobId, edit }: PlainNaming,
): readonly T[] {
  const base = `${plainName(jobId)}-${edit}`
  const place = (index: number): string => (files.length === 1 ? '' : `-${index + 1}`)
  return files.map((file, index) => ({
    ...file,
    fileName: `${base}${place(index)}${endingOf(file.fileName)}`,
  }))
}

/**
 * `clip-0412`: the same for each call with an id; two of many may share it.
 * @param id a UUID
 */
export function plainName(id: string): string {
  const digits = Number.parseInt(id.slice(-8), 16) % 10_000
  return `clip-${String(digits).padStart(4, '0')}`
}

function endingOf(fileName: string): string {
  return /\.[a-z0-9]+$/i.exec(fileName)?.[0] ?? ''
}
