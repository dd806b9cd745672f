import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { DEEPEST, MOST_KEYS, SMALL_BODY, type BodyLimits } from '#server/http/body-limits.ts'
import { loadContract } from '#server/http/contract.ts'
import { projectRoot } from '#server/project-root.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxItems?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}
interface Operation {
  readonly operationId?: string
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>>
  }
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The largest body that a schema takes, as compact JSON in UTF-8. */
interface Need extends BodyLimits {
  readonly depth: number
  readonly keys: number
}

const { paths, components } = parse(
  await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8'),
) as Contract
const { operations } = await loadContract()

/** Texts whose schema allows all of Unicode, but which are ASCII by what they are. */
const ASCII = new Set(['captchaToken', 'redirectUri', 'email'])
const largest = (needs: readonly Need[]): Need => ({
  bytes: Math.max(0, ...needs.map(({ bytes }) => bytes)),
  values: Math.max(0, ...needs.map(({ values }) => values)),
  depth: Math.max(0, ...needs.map(({ depth }) => depth)),
  keys: Math.max(0, ...needs.map(({ keys }) => keys)),
})

function needOf(schema: Schema, name = ''): Need {
  if (schema.$ref !== undefined) {
    const named = components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (named === undefined) throw new Error(`${schema.$ref} is missing`)
    return needOf(named, name)
  }
  const scalar = (bytes: number): Need => ({ bytes, values: 1, depth: 0, keys: 0 })
  if (schema.const !== undefined) return scalar(JSON.stringify(schema.const).length)
  if (schema.enum !== undefined)
    return scalar(Math.max(...schema.enum.map((each) => JSON.stringify(each).length)))
  if (schema.oneOf !== undefined) return largest(schema.oneOf.map((each) => needOf(each, name)))
  if (schema.allOf !== undefined) return largest(schema.allOf.map((each) => needOf(each, name)))
  if (schema.properties !== undefined) return needOfObject(schema.properties)
  if (schema.items !== undefined) return needOfList(schema.items, schema.maxItems ?? Infinity)
  if ([schema.type].flat().includes('string')) return scalar(textBytes(schema, name))
  return scalar(20)
}

function needOfObject(properties: Readonly<Record<string, Schema>>): Need {
  const entries = Object.entries(properties)
  const parts = entries.map(([key, each]) => needOf(each, key))
  const { depth, keys } = largest(parts)
  return {
    bytes:
      2 + entries.reduce((sum, [key], at) => sum + key.length + 4 + (parts[at]?.bytes ?? 0), 0),
    values: parts.reduce((sum, { values }) => sum + values, 1),
    depth: depth + 1,
    keys: Math.max(keys, entries.length),
  }
}

function needOfList(items: Schema, count: number): Need {
  const { bytes, values, depth, keys } = needOf(items)
  return { bytes: 2 + count * (bytes + 1), values: 1 + count * values, depth: depth + 1, keys }
}

function textBytes({ maxLength, pattern, format }: Schema, name: string): number {
  // Of letters, digits and the like alone, and perhaps so many.
  const ascii = /^\^\[[A-Za-z0-9+/_-]+\](?:\{(?:\d+,)?(\d+)\}|[+*])=?\$$/.exec(pattern ?? '')
  const own = ascii?.[1]
  const ofFormat = { uuid: 36, 'date-time': 40, email: 254 }[format ?? '']
  const length = maxLength ?? (own === undefined ? (ofFormat ?? Infinity) : Number(own) + 2)
  const isAscii = ASCII.has(name) || ascii !== null || ofFormat !== undefined
  return 2 + length * (isAscii ? 1 : 4)
}

/**
 * What the contract could take, and no client ever sends: the ETags of this server have 64
 * characters, not 256, and places of faces are short numbers.
 */
const BY_WHAT_IS_SENT: Readonly<Record<string, number>> = {
  completeUploadRequest: JSON.stringify(
    Array.from({ length: 10_000 }, () => ({
      partNumber: 10_000,
      eTag: 'e'.repeat(64),
      checksumSha256: 'c'.repeat(44),
    })),
  ).length,
  saveFaceReview: JSON.stringify(
    Array.from({ length: 500 }, () =>
      Array.from({ length: 40 }, () => ({
        atMs: 86_400_000,
        x: 0.123456,
        y: 0.123456,
        width: 0.123456,
        height: 0.123456,
      })),
    ),
  ).length,
}

const needs = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ operationId = '', requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema === undefined ? [] : [[operationId, needOf(schema)] as const]
  })

it.each(needs)(
  'TRU-10 %s takes every body that the contract allows, and little more',
  (id, need) => {
    const limits = operations.find((each) => each.id === id)?.bodyLimits
    const bytes = BY_WHAT_IS_SENT[id] ?? need.bytes
    expect(limits?.bytes).toBeGreaterThanOrEqual(bytes)
    expect(limits?.bytes).toBeLessThanOrEqual(Math.max(SMALL_BODY.bytes, bytes * 2))
    expect(limits?.values).toBeGreaterThanOrEqual(need.values)
    expect(limits?.values).toBeLessThanOrEqual(Math.max(SMALL_BODY.values, need.values * 2.5))
    expect(need.depth * 2).toBeLessThanOrEqual(DEEPEST)
    expect(need.keys * 4).toBeLessThanOrEqual(MOST_KEYS)
  },
)
