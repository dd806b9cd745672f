/** The page's build settings; the only reader of `import.meta.env` on this side. */
export interface Env {
  /**
   * Shows the checkout screens. The server's own setting decides whether orders cost anything
   * (docs/product-decisions.md#payments-flag).
   */
  readonly paymentsEnabled: boolean
  readonly isDevelopment: boolean
}

export const env: Env = readEnv(import.meta.env ?? {})

/**
 * Parses build variables. Payments are on only when the flag equals 'true'; our own builds leave it
 * out, which means 'true', so that only an explicit other value hides the screens.
 */
export function readEnv(variables: Readonly<Record<string, unknown>>): Env {
  const flag = variables['VITE_PAYMENTS_ENABLED'] ?? 'true'
  return { paymentsEnabled: flag === 'true', isDevelopment: variables['DEV'] === true }
}
