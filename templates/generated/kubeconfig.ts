import { printKubeconfig } from './runtime/kubernetes/kubeconfig';
import { loadEnvironment } from './runtime/settings/environment-file';
import { service } from './service';

loadEnvironment();

process.exitCode = printKubeconfig(service, process.argv.slice(2), process.env);
