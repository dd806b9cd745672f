import { fileURLToPath } from 'node:url'

/** The folder of the checkout, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('../', import.meta.url))
