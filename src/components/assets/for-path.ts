import { useLocation } from 'react-router'

/**
 * The path of the form that waits for an asset, out of the address; null without one, and for
 * anything that is not a path of this app.
 */
export function readForPath(params: URLSearchParams): string | null {
  const path = params.get('for')
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null
}

/** The address of the form that is shown, under which it is kept while it is left for an asset. */
export function useFormPath(): string {
  const { pathname, search } = useLocation()
  return pathname + search
}
