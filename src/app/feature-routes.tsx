import type { RouteObject } from 'react-router'

/** The private screens of the features, behind user and profile guard. Screens are lazy. */
export const featureRoutes: readonly RouteObject[] = []
