import { planViews } from '../conversion/hub/move-hub';
import { type Conversion, planConversion } from '../conversion/plan/conversion';
import type { ConversionPlan } from '../conversion/plan/plan';
import { writtenStatus } from '../model/json-schema';
import type { Group, Kind, KindVersion } from '../model/project';

/** The conversions between the versions of a kind; each is planned when it is first needed, and only once. */
export class Conversions {
  /** The versions with the fields that are converted. */
  readonly versions: KindVersion[];
  readonly #planned = new Map<string, Conversion>();
  readonly #views = new Map<string, Map<string, ConversionPlan>>();

  constructor(
    private readonly group: Group,
    private readonly kind: Kind,
  ) {
    this.versions = convertedVersions(kind);
  }

  /** The versions that are converted to and from the storage version. */
  get spokes(): KindVersion[] {
    return this.versions.filter(({ version }) => version !== this.group.storageVersion);
  }

  /** The plans of all spokes. */
  get plans(): ConversionPlan[] {
    return this.spokes.map(({ version }) => this.planOf(version));
  }

  /** Returns the plan of a spoke, or the problems of its rules. */
  of(spoke: string): Conversion {
    const known = this.#planned.get(spoke);
    if (known !== undefined) return known;
    const conversion = planConversion(
      this.version(this.group.storageVersion),
      this.version(spoke),
      this.group.types,
    );
    this.#planned.set(spoke, conversion);
    return conversion;
  }

  /** Returns the plan of a spoke whose rules have no problems. */
  planOf(spoke: string): ConversionPlan {
    const { plan } = this.of(spoke);
    if (plan === undefined) throw new Error(`${this.kind.name} ${spoke} has conversion problems`);
    return plan;
  }

  /** Returns how one version reads resources that are stored in a spoke; undefined where the rules do not determine it. */
  view(stored: string, shown: string): ConversionPlan | undefined {
    const { storageVersion, types } = this.group;
    const plans = this.#views.get(stored) ?? planViews(this.versions, types, storageVersion, stored);
    this.#views.set(stored, plans);
    return plans.get(shown);
  }

  private version(name: string): KindVersion {
    return this.versions.find(({ version }) => version === name)!;
  }
}

/** Returns the versions of a kind with the fields that are converted. */
export function convertedVersions(kind: Kind): KindVersion[] {
  return kind.versions.map((version) => ({ ...version, status: writtenStatus(kind, version) }));
}
