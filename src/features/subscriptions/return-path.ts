/**
 * The address that a link to the checkout left in the router's state, to go back to after paying;
 * null without one.
 */
export function returnPath(state: unknown): string | null {
  const path =
    typeof state === 'object' && state !== null && 'returnPath' in state ? state.returnPath : null
  return typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : null
}
