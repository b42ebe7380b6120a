import type { Platform } from '#lib/trust/issuers';

/** Claims of a token, as a platform writes them. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** The tokens of a platform: what differs between platforms. */
interface Form {
  readonly algorithms: readonly ['RS256' | 'ES384', ...('RS256' | 'ES384')[]];
  /** Path of its keys below the issuer. */
  readonly keys: string;
  readonly seconds: number;
  /** How long before its issue a token begins; absent for platforms without `nbf`. */
  readonly beginsBefore?: number;
  /** Whether `aud` is a list, even of one. */
  readonly listsAudience?: true;
  /** Whether each token has a `jti`. */
  readonly hasId: boolean;
  /** @param given claims that replace those of the example */
  readonly claims: (given: TokenClaims) => TokenClaims;
}

/** `repo:owner@id/name@id`, as repositories have it that were created or renamed since July 2026. */
function ownRepository({ repository, repository_id, repository_owner_id }: TokenClaims): string {
  const [owner, name] = String(repository).split('/');
  return `repo:${owner}@${repository_owner_id}/${name}@${repository_id}`;
}

/** @see https://docs.github.com/en/actions/reference/security/oidc */
function ofGitHub(given: TokenClaims): TokenClaims {
  const claims: TokenClaims = {
    repository: 'acme/shop',
    repository_id: '74',
    repository_owner: 'acme',
    repository_owner_id: '65',
    repository_visibility: 'private',
    ref: 'refs/heads/main',
    ref_type: 'branch',
    ref_protected: 'true',
    sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15',
    workflow: 'deploy',
    workflow_ref: 'acme/shop/.github/workflows/deploy.yml@refs/heads/main',
    workflow_sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15',
    job_workflow_ref: 'acme/shop/.github/workflows/deploy.yml@refs/heads/main',
    job_workflow_sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15',
    event_name: 'push',
    actor: 'ada',
    actor_id: '12',
    head_ref: '',
    base_ref: '',
    run_id: '1000',
    run_number: '10',
    run_attempt: '1',
    runner_environment: 'github-hosted',
    ...given,
  };
  const { environment, event_name, ref } = claims;
  const context = environment ? `environment:${environment}` : `ref:${ref}`;
  return {
    sub: `${ownRepository(claims)}:${event_name === 'pull_request' && !environment ? event_name : context}`,
    ...claims,
  };
}

/** @see https://docs.gitlab.com/ci/secrets/id_token_authentication/ */
function ofGitLab(given: TokenClaims): TokenClaims {
  const claims: TokenClaims = {
    namespace_id: '72',
    namespace_path: 'acme',
    project_id: '20',
    project_path: 'acme/shop',
    user_id: '1',
    user_login: 'ada',
    user_email: 'ada@example.com',
    user_access_level: 'developer',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_type: 'branch',
    ref_path: 'refs/heads/main',
    ref_protected: 'true',
    runner_id: 1,
    runner_environment: 'gitlab-hosted',
    sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
    project_visibility: 'private',
    ci_config_ref_uri: 'gitlab.com/acme/shop//.gitlab-ci.yml@refs/heads/main',
    ci_config_sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
    ...given,
  };
  const { project_path, ref_type, ref } = claims;
  return { sub: `project_path:${project_path}:ref_type:${ref_type}:ref:${ref}`, ...claims };
}

/** @see https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/ */
function ofKubernetes(given: TokenClaims): TokenClaims {
  const pod = {
    namespace: 'shop',
    node: { name: 'node-1', uid: '646e7c5e-32d6-4d42-9dbd-e504e6cbe6b1' },
    pod: { name: 'deploy-7f9c', uid: '0e9f8a2c-6f0a-4b6e-8c15-6d9a4cbb9d31' },
    serviceaccount: { name: 'deployer', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
    ...(given['kubernetes.io'] as object | undefined),
  };
  const sub = `system:serviceaccount:${pod.namespace}:${pod.serviceaccount.name}`;
  return { sub, ...given, 'kubernetes.io': pod };
}

/** @see https://docs.cloud.google.com/compute/docs/instances/verifying-instance-identity */
const ofGoogle = (given: TokenClaims): TokenClaims => ({
  sub: '107517467455664443765',
  azp: '107517467455664443765',
  email: 'deployer@acme-shop.iam.gserviceaccount.com',
  email_verified: true,
  ...given,
});

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_outbound_token_claims.html */
function ofAws(given: TokenClaims): TokenClaims {
  const sub = (given['sub'] as string | undefined) ?? 'arn:aws:iam::111122223333:role/deployer';
  const details = {
    aws_account: sub.split(':')[4],
    source_region: 'eu-central-1',
    org_id: 'o-a1b2c3d4e5',
    principal_id: sub,
    ...(given['https://sts.amazonaws.com/'] as object | undefined),
  };
  return { sub, ...given, 'https://sts.amazonaws.com/': details };
}

const HOUR = 3600;

export const FORMS: Readonly<Record<Platform, Form>> = {
  github: {
    algorithms: ['RS256'],
    keys: '/.well-known/jwks',
    seconds: 300,
    beginsBefore: 600,
    hasId: true,
    claims: ofGitHub,
  },
  gitlab: {
    algorithms: ['RS256'],
    keys: '/oauth/discovery/keys',
    seconds: HOUR,
    beginsBefore: 5,
    hasId: true,
    claims: ofGitLab,
  },
  kubernetes: {
    algorithms: ['RS256'],
    keys: '/openid/v1/jwks',
    // A node replaces a token after 80 % of its life; the API server adds 7 s.
    seconds: HOUR + 7,
    beginsBefore: 0,
    listsAudience: true,
    hasId: true,
    claims: ofKubernetes,
  },
  google: {
    algorithms: ['RS256'],
    keys: '/oauth2/v3/certs',
    seconds: HOUR,
    hasId: false,
    claims: ofGoogle,
  },
  aws: {
    algorithms: ['ES384', 'RS256'],
    keys: '/.well-known/jwks.json',
    seconds: 300,
    hasId: true,
    claims: ofAws,
  },
  other: {
    algorithms: ['RS256'],
    keys: '/jwks.json',
    seconds: HOUR,
    hasId: true,
    claims: (given) => ({ sub: 'deployer', ...given }),
  },
};
