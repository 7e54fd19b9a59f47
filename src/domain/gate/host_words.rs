//! Endings, products and labels that distinguish a host from a file name, a package or a configuration key.
//!
//! Data for `hosts` and `paths`. All lower case.

word_lists! {
    /// Only hosts end like this.
    STRONG_ENDINGS = "
        com net org internal local lan corp intranet localdomain home edu gov mil cloud xyz tech online de uk fr nl jp eu
        co ch au cn br pl se arpa consul onion biz svc ru sg example invalid nz kr vn ph priv private intra corporate host
        website software systems network
    ";
    /// Also an attribute, a suffix or a file ending.
    WEAK_ENDINGS = "
        io app dev ai id me in info sh rs us it is at be es ca tv gg fm ms to so py md ly my test site work team tools run
        page link store live life cc ie no fi dk cz ro pt mx ar za th hk tw tr lab staging prod
    ";
    /// A name of two labels with one of these is usually a site.
    BRANDED_ENDINGS = "
        io dev ai app gg lab team
    ";
    FILE_ENDINGS = "
        rs py sh md js ts tsx jsx json yaml yml toml lock html css scss sql go java kt rb php c h cpp hpp cs swift txt log
        xml csv tsv ini cfg conf env pem crt key pub gz tar tgz zip so pl ps cc mod sum proto tf tfvars hcl vue svelte
        ipynb pdf png jpg jpeg svg gif webp har wasm dll exe jar war class gradle properties plist map mjs cjs bak tmp pid
        sock service timer dockerfile makefile parquet avro db sqlite wal shm mdx rst lua ex exs erl hs ml scala clj dart
        r jl asm diff patch snap spec test d app
    ";
    /// File endings that are also country or site endings: a host word at the start of three labels decides.
    COUNTRY_FILES = "
        rs sh md pl so cc py app zip go
    ";
    PACKAGE_STARTS = "
        com org io net dev java javax jakarta kotlin android androidx de edu gov scala me co app sun ai
    ";
    PACKAGE_PARTS = "
        net local internal host network private home example cloud systems software svc
    ";
    NOT_HOSTS = "
        asp.net vb.net ado.net ml.net system.net java.net std.net is.local env.local config.local settings.local
        spring.cloud module.private user.home path.home java.home cluster.local svc.cluster.local self.host request.host
        req.host url.host config.host db.host server.host redis.host app.host options.host env.host location.host uri.host
        target.host settings.host smtp.host mail.host postgres.host spring.datasource.host pkg.private sys.net serde.de
        vpc.private thread.local std.internal
    ";
    CODE_OBJECTS = "
        user users order event self this req res request response config settings java std socket node main index module
        next window document process app data item row record trace span session account values env package tokio vite
        webpack storage scala kotlin file commons core lib web org com okio kotlinx team io test spring context state
        props tsconfig docker-compose application ctx model profile appsettings
    ";
    HOST_WORDS = "
        staging stage stg prod production dev api db www mail vpn grafana jenkins ci git wiki jira admin app cdn auth sso
        dashboard monitor monitoring smtp ns1 ns2 ftp sftp bastion registry vault kibana argocd sentry gitlab status
        portal intranet hr login preview qa uat demo beta internal proxy gateway kafka redis postgres prometheus metrics
        logs nexus sonar backoffice console test sandbox edge data reports
    ";
    /// The same on every machine or in every cluster.
    WELL_KNOWN = "
        localhost localhost.localdomain host.docker.internal metadata.google.internal kubernetes.default.svc
        kubernetes.default kubernetes.default.svc.cluster.local svc.cluster.local cluster.local in-addr.arpa ip6.arpa
        gateway.docker.internal node.js next.js vue.js socket.io draw.io std.io
    ";
    VENDORS = "
        github.com gitlab.com bitbucket.org docs.rs crates.io lib.rs rust-lang.org rustup.rs npmjs.com npmjs.org pypi.org
        python.org readthedocs.io golang.org go.dev nodejs.org deno.land deno.com bun.sh yarnpkg.com jsr.io unpkg.com
        jsdelivr.net cdnjs.com maven.org apache.org kernel.org debian.org ubuntu.com archlinux.org alpinelinux.org
        fedoraproject.org redhat.com docker.com docker.io ghcr.io quay.io gcr.io k8s.gcr.io microsoftonline.com k8s.io
        kubernetes.io helm.sh istio.io cert-manager.io argoproj.io prometheus.io grafana.com opentelemetry.io
        jaegertracing.io sentry.io datadoghq.com newrelic.com pagerduty.com opsgenie.com statuspage.io slack.com
        discord.com telegram.org whatsapp.com zoom.us google.com googleapis.com gstatic.com gmail.com youtube.com
        microsoft.com azure.com windows.net office.com live.com outlook.com visualstudio.com nuget.org apple.com
        icloud.com amazon.com aws.amazon.com amazonaws.com cloudflare.com cloudflare-dns.com fastly.com akamai.com
        digitalocean.com heroku.com vercel.com netlify.com fly.io render.com railway.app supabase.com firebase.google.com
        mongodb.com postgresql.org mysql.com mariadb.org sqlite.org redis.io elastic.co kafka.apache.org confluent.io
        rabbitmq.com nginx.org nginx.com letsencrypt.org stripe.com paypal.com twilio.com sendgrid.com sendgrid.net
        mailgun.org mailgun.net mailgun.com openai.com anthropic.com huggingface.co mozilla.org w3.org whatwg.org ietf.org
        rfc-editor.org iana.org unicode.org ecma-international.org owasp.org semver.org json-schema.org openapis.org
        swagger.io graphql.org wikipedia.org stackoverflow.com stackexchange.com reactjs.org react.dev vuejs.org
        angular.io angular.dev svelte.dev nextjs.org nuxt.com vitejs.dev vite.dev tailwindcss.com typescriptlang.org
        eslint.org prettier.io storybook.js.org playwright.dev cypress.io jestjs.io spring.io gradle.org jetbrains.com
        djangoproject.com fastapi.tiangolo.com sqlalchemy.org rubygems.org ruby-lang.org packagist.org getcomposer.org
        php.net hex.pm elixir-lang.org pub.dev dart.dev flutter.dev developer.android.com android.com swift.org
        cocoapods.org terraform.io hashicorp.com vaultproject.io ansible.com atlassian.com linear.app notion.so figma.com
        miro.com leptos.dev tokio.rs serde.rs diesel.rs schema.org caniuse.com conventionalcommits.org keepachangelog.com
        editorconfig.org gnu.org freebsd.org openssl.org openssh.com wireguard.com tailscale.com auth0.com okta.com
        oauth.net jwt.io snyk.io sonarqube.org codecov.io circleci.com travis-ci.com buildkite.com jenkins.io algolia.com
        mapbox.com openstreetmap.org shopify.com xendit.co midtrans.com gojek.com tokopedia.com bpjs-kesehatan.go.id
        bi.go.id ojk.go.id crowdin.com launchdarkly.com segment.com mixpanel.com amplitude.com posthog.com cloudinary.com
        pnpm.io webpack.js.org babeljs.io rollupjs.org esbuild.github.io draw.io socket.io bugsnag.com honeycomb.io
        influxdata.com clickhouse.com duckdb.org pkg.go.dev proxy.golang.org mcr.microsoft.com sigstore.dev chromium.org
        caddyserver.com traefik.io haproxy.org min.io etcd.io containerd.io cilium.io crossplane.io backstage.io dev.to
        medium.com linkedin.com twitter.com x.com facebook.com instagram.com t.me reddit.com hub.docker.com nip.io ntp.org
        pool.ntp.org gnome.org kde.org haskell.org julialang.org scala-lang.org kotlinlang.org clojure.org ziglang.org
        zod.dev trpc.io prisma.io typeorm.io expressjs.com fastify.dev nestjs.com laravel.com symfony.com rubyonrails.org
        cppreference.com llvm.org cmake.org bazel.build gnupg.org zoho.com intercom.com zendesk.com hubspot.com
        salesforce.com oracle.com ibm.com intel.com nvidia.com arm.com adobe.com dropbox.com spotify.com netflix.com
        uber.com airbnb.com shields.io badge.fury.io calendly.com wa.me hackerone.com virustotal.com haveibeenpwned.com
        12factor.net martinfowler.com refactoring.guru regex101.com crontab.guru booking.com asp.net monday.com cal.com
        play.rust-lang.org doc.rust-lang.org amazon.co.jp
        hl7.org loinc.org snomed.org iso.org ieee.org gs1.org nist.gov cve.org mitre.org cisa.gov geojson.org xbrl.org
        iso20022.org swift.com europa.eu sec.gov un.org unece.org who.int usb.org bluetooth.com khronos.org vulkan.org
        opengl.org unity.com unrealengine.com godotengine.org blender.org steampowered.com ros.org mqtt.org modbus.org
        bacnet.org opcfoundation.org arduino.cc raspberrypi.com espressif.com zephyrproject.org freertos.org st.com ti.com
        pytorch.org tensorflow.org keras.io scikit-learn.org numpy.org pydata.org scipy.org jupyter.org kaggle.com
        arxiv.org doi.org orcid.org crossref.org ctan.org creativecommons.org spdx.org opensource.org json.org yaml.org
        toml.io asyncapi.com cloudevents.io openid.net fidoalliance.org pcisecuritystandards.org emvco.com ogc.org
        osgeo.org qgis.org gdal.org postgis.net epsg.io maplibre.org leafletjs.com dicomstandard.org fhir.org ihe.net
        timescale.com questdb.io scylladb.com cockroachlabs.com neo4j.com apollographql.com strawberry.rocks airflow.apache.org
        dbt.com getdbt.com fivetran.com snowflake.com databricks.com powerbi.com tableau.com metabase.com
    ";
    /// Vendors whose subdomains are keys, not customers.
    WHOLE_VENDORS = "
        kubernetes.io k8s.io rust-lang.org python.org apache.org w3.org mozilla.org wikipedia.org ietf.org istio.io
        cert-manager.io argoproj.io debian.org ubuntu.com postgresql.org spring.io schema.org golang.org android.com
        stackexchange.com
    ";
    /// Subdomains that a vendor offers to everybody.
    VENDOR_DOORS = "
        api www docs doc status hooks registry raw gist developer developers console support help blog fonts storage login
        accounts auth cdn packages static index repo repo1 search hub s3 sts ecr spec specs standards build terminology tx fonts1 ontology vocab datasets wiki en de id iam dl download downloads get security
        archive deb apt pkg files uploads oauth2 play maven central codeload objects marketplace portal management graph
        pay checkout js dashboard m learn go translate cloud public mail smtp imap dns app install forum discuss community
        charts sheets drive calendar meet maps analytics core ingest data events appleid identity secure quickstart www2
        registry-1 test sandbox firebase azure aws apis vault token o1 production
    ";
    GENERIC_DEVICE = "
        macos build test dev shared team office company new old per non cross multi a the any every each managed self
        bring byod in on to os x86 smart mobile user employee all developer windows linux intel arm apple silicon ci
        remote kiosk loaner spare hyper vs for responsive tablet is target icon native default desktop input field valid
        verified e type fa lucide bi mdi
    ";
    ROLES = "
        db web app api srv server node bastion jump jumphost jumpbox vpn gw nas proxy lb mail mx ns dc esxi vm host build
        worker runner cache redis pg postgres mysql kafka es mon backup gpu rack fw rtr k8s hv pve nuc raspberrypi switch
        router firewall storage san file fileserver printer batch etl queue mq log logs search elastic mongo ci jenkins
        agent controller master slave haproxy nginx kube docker ldap ad dns smtp ftp bm vpngw edge mac macmini
    ";
    STAGES = "
        prod prd production stg stage staging dev uat qa test preprod sandbox live int
    ";
    SITES = "
        jkt sub bdg sin sgp sg1 sg fra fra1 ams ams3 lon nyc nyc1 sfo hel hel1 nbg nbg1 fsn fsn1 ber muc par tyo syd iad
        pdx cgk cgk1 dub mum blr hkg jakarta bandung
    ";
    /// With a number, these are versions or members of a set.
    PRODUCT_ROLES = "
        node redis postgres mysql kafka mongo elastic es nginx docker jenkins haproxy k8s web app api dev stage agent
    ";
    BEFORE_VERSION = "
        version versi v ver release rilis build oid section chapter clause firmware driver ver. versions assembly
        fileversion schema tag revision rev pasal chrome chromium android rule edition
    ";
    /// A word after `@` that is a version, a branch or a generic machine.
    AFTER_AT = "
        latest next beta alpha rc canary main master head stable edge lts dev develop nightly sha256 sha512 workspace
        localhost experimental trunk legacy current release production
    ";
}
