import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import {
  createContractChecks,
  readChecks,
  type WrittenChecks,
} from '#server/http/contract-checks.ts'
import { compileChecks, writeChecks } from '#server/http/contract-compiler.ts'
import { operationsIn, type Document } from '#server/http/contract-document.ts'
import { projectRoot } from '#server/project-root.ts'

const document = parse(
  await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8'),
) as Document
const operations = operationsIn(document)

/** A request with numbers as texts, and something wrong in each place. */
const requests = (body: unknown): readonly Record<string, unknown>[] => [
  { path: {}, query: {}, header: {}, requestBody: body },
  {
    path: { id: 'none', userId: 'none', other: '1' },
    query: { limit: '7', cursor: 'x', other: '1' },
    header: { 'idempotency-key': 'x' },
    requestBody: { ...(body as object), other: [1, { a: null }] },
  },
]

it('TRU-10 the checks that a build writes say what those say that are compiled when needed', async () => {
  const folder = await mkdtemp(join(projectRoot, 'node_modules/.cache/onecut-checks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'checks.cjs')
  await writeFile(path, writeChecks(document, operations))
  const written = createRequire(import.meta.url)(path) as WrittenChecks
  const both = [readChecks(written), compileChecks(document)].map((checks) =>
    createContractChecks(document, operations, checks),
  )
  let refused = 0
  for (const { id, operation } of operations) {
    const example = exampleOf(operation.requestBody?.content)
    for (const which of ['first', 'all'] as const)
      for (const request of requests(example)) {
        const [given, wanted] = both.map((checks) => {
          const input = structuredClone(request)
          return { errors: checks.requestErrors(id, input, which), input }
        })
        expect(given, id).toEqual(wanted)
        refused += given?.errors.length ?? 0
      }
    for (const status of [...Object.keys(operation.responses).map(Number), 299])
      for (const body of [{}, null, { error: { message: 'x', code: 'request/invalid' } }]) {
        const [given, wanted] = both.map((checks) => checks.answerErrors(id, status, body))
        expect(given, `${id} ${status}`).toEqual(wanted)
        refused += given?.length ?? 0
      }
  }
  expect(refused).toBeGreaterThan(1_000)
})

/** The first example of a body; nothing where the operation has none. */
function exampleOf(content: Readonly<Record<string, unknown>> | undefined): unknown {
  const media = content?.['application/json'] as
    | { readonly examples?: Readonly<Record<string, { readonly $ref?: string }>> }
    | undefined
  const name =
    Object.values(media?.examples ?? {})[0]
      ?.$ref?.split('/')
      .at(-1) ?? ''
  const { examples = {} } = document.components as {
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  }
  return examples[name]?.value
}
