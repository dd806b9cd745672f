import type { RouteObject } from 'react-router'
import type { Guards } from './guards/guards.ts'

/** The private screens of the features, behind user and profile guard. Screens are lazy: `lazy: async () => ({ Component })`. */
export function featureRoutes(_guards: Guards): RouteObject[] {
  return []
}
