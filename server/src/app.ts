import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { createApi } from '#server/http/api.ts'
import { apiRoot, loadContract, type Contract } from '#server/http/contract.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { securityHeaders } from '#server/http/security-headers.ts'

/** The whole HTTP side; does not listen. `handlers` tells which operations are built. */
export interface App { readonly hono: Hono; readonly contract: Contract; readonly handlers: Partial<Handlers> }

/** Every route file has its line here; operations without a handler answer 501. */
export function createHandlers(_deps: Deps): Partial<Handlers> {
  return {}
}

/** Builds the app: plain routes first (raw bodies, pages), then the contract, then the built page. */
export async function buildApp(deps: Deps): Promise<App> {
  const contract = await loadContract()
  const handlers = createHandlers(deps)
  const hono = new Hono()
  const common = Object.entries(securityHeaders({ publicOrigin: deps.settings.publicOrigin, connectOrigins: [] }))
  hono.use(async (c, next) => {
    await next()
    for (const [name, value] of common) if (!c.res.headers.has(name)) c.header(name, value)
  })
  hono.all(`${apiRoot}/*`, createApi({ deps, contract, handlers }))
  return { hono, contract, handlers }
}
