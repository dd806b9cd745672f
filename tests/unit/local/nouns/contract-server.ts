import { parse } from 'yaml'
import contract from '#openapi/openapi.yaml?raw'
import { problem } from '#tests/fakes/fake-api.ts'

export interface Thing {
  readonly _id: string
}

interface Reference {
  readonly $ref: string
}
interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: Record<string, { examples: Record<string, Reference> }> }>
  >
}

// The contract of this repository, whose shape the contract's own tests check.
const { paths, components } = parse(contract) as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: { readonly examples: Readonly<Record<string, { value: object }>> }
}

/** A server that answers reads with the contract's examples, changed to the things it has. */
export interface ContractServer {
  readonly fetch: (request: Request) => Promise<Response>
  /** From now on lists have the things with these ids, and no other thing is found. */
  has(ids: readonly string[]): void
}

export function createContractServer(): ContractServer {
  let present: readonly string[] = []
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const body = exampleOf(pathname)
      const [name, example] = Object.entries(body)[0] ?? []
      if (name === undefined) throw new Error(`the example of ${pathname} is empty`)
      if (Array.isArray(example))
        return Response.json({
          ...body,
          [name]: present.map((_id) => ({ ...firstOf(example), _id })),
        })
      const _id = pathname.split('/').at(-1) ?? ''
      return present.includes(_id)
        ? Response.json({ [name]: { ...firstOf([example]), _id } })
        : problem(404, 'things/not-found')
    },
    has: (ids) => {
      present = ids
    },
  }
}

function exampleOf(pathname: string): object {
  // Fixed paths first: `/v1/things/newest` is no `/v1/things/{id}`.
  const found = Object.entries(paths)
    .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
    .find(([path]) =>
      new RegExp(`/editors/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    )
  const examples = found?.[1].get?.responses['200']?.content['application/json']?.examples
  const name = Object.values(examples ?? {})[0]
    ?.$ref.split('/')
    .at(-1)
  const example = components.examples[name ?? '']
  if (example === undefined) throw new Error(`the contract has no example of GET ${pathname}`)
  return example.value
}

function firstOf(list: readonly unknown[]): object {
  const first = list[0]
  if (typeof first !== 'object' || first === null) throw new Error('an example without a thing')
  return first
}
