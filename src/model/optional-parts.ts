/** The parts that every service has unless project.yaml says otherwise: keys of it that are true by default. */
export const OPTIONAL_PARTS = ['client', 'ctl', 'pages', 'metrics', 'workers', 'contractTests'] as const;

/** A part of a service that project.yaml may switch off. */
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];
