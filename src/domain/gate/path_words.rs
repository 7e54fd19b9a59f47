//! Program accounts, site pages and example hosts.
//!
//! Data for `paths` and `links`. All lower case.

word_lists! {
    /// Accounts that a machine has for its programs, and placeholders.
    SERVICE_USERS = "
        app node ubuntu runner postgres www-data root deploy git jenkins ec2-user admin user vscode circleci linuxbrew
        codespace gitpod vagrant pi nobody daemon redis nginx build builder ci default nonroot appuser airflow spark
        hadoop jovyan coder developer public shared all administrator containeradministrator runneradmin username you me
        yourname name debian centos rust gradle sonar tomcat mysql service web www worker agent user_name xxx docker opc
        azureuser cloud steam keepsake data python elasticsearch kafka jboss odoo django rails sandbox travis semaphore
        buildkite-agent gitlab-runner actions-runner dev someone user1 example core alpine backup deployer
    ";
    /// Endings of organisation names.
    ENDINGS = "
        rs js io lang org inc hq dev oss labs ts py go ai db sh
    ";
    /// Pages of a site, not accounts.
    PAGES = "
        docs about pricing blog login settings search home share intent datasets models spaces competitions t tags help
        explore
    ";
    /// Pages of a code host, not owners.
    FORGE_PAGES = "
        features pricing about login settings marketplace topics orgs apps actions docs explore sponsors security
        enterprise notifications search advisories new status contact team site
    ";
    /// Repositories that people keep for themselves.
    OWN_REPOSITORIES = "
        /dotfiles /.dotfiles /notes /config /nvim /vimrc /resume /cv /blog /playground /sandbox /scratch /nix-config
    ";
    /// Hosts of examples and of typical compose files.
    SAMPLE_HOSTS = "
        localhost host hostname server example db redis postgres rabbitmq kafka nats mysql mongo service api backend
        your-host user username
    ";
}
